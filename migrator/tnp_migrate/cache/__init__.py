"""What earlier runs have found: the inputs of a run in, out its results, from the user's own folder or none.

An entry has a name that all inputs make together, holds JSON, and is taken whole or not at all.
"""
