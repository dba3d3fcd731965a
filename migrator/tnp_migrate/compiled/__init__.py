"""Functions worth compiling: analysed files in, out the decorators of those that a graph can run, and their NumPy form.

Of every other function with a loop it is said why it is not compiled, and what would help.
"""
