"""Why something is not recorded or not replayed. The messages are for the user."""

from __future__ import annotations


class NotKept(Exception):
    """A value cannot be kept; the reason completes "not kept because of ..."."""


class BadRecording(Exception):
    """A recording is not what the recorder writes; the message says where and what."""


class Refused(Exception):
    """A recording asks for something by a name that is not on the list, or that is not there."""
