"""What editors ask: texts as they stand there in, diagnostics, pages and edits out, in the words of the protocol.

`session` talks to the editor and needs pygls; the other files need nothing beside the tool, and know no protocol.
"""
