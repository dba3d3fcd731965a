"""From decisions to bytes: analysed files in, out their new text, its imports and the helper module, checked.

The text between the two stages is made here as well, with the place in the user's file of each of its bytes.
"""
