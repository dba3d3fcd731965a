"""What editors ask: texts as they stand there in, diagnostics, pages and edits out, in the words of the protocol.

`session`, `protocol` and `positions` talk to the editor and need pygls; the other files know no protocol.
"""
