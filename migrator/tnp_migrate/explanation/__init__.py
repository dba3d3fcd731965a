"""Why a line becomes what it becomes: a file and a line in, out what the analysis knows of it, as data and as text.

Nothing is found out or decided here: the rooms above are run as for any file, and asked.
"""
