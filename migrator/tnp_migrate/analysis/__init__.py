"""What values are and whose memory they share: the program in, out arrays, the heap, effects of functions.

Nothing is decided here, and no text is written.
"""
