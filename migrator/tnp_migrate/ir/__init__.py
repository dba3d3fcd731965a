"""The intermediate representation: takes the syntax tree of a module and its scopes, gives its bodies as instructions.

`lowering.lower_module` reads each function once; `dump.dump` prints what it has read, which is what tests look at.
"""
