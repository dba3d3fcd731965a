"""The program as written: settings and sources in, out modules, scopes, qualified names, classes and functions.

Also which function a name, a decorator or a table of functions leads to, and what files outside Python say of NumPy.
"""
