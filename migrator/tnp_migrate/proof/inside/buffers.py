"""Memory of arrays by content: `arrays/ab/abcd....npy` holds the bytes whose digest is its name. Never pickled."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

import numpy as np

from tnp_migrate.proof.inside.refusals import BadRecording

SMALL = 512  # bytes; shorter buffers stand in the call itself
DIGEST = 20


class Buffers:
    """The buffers of one recording, each written once. `written` counts the bytes that this process has added."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "arrays"
        self.written = 0

    def put(self, data: bytes) -> str:
        """Keep bytes; the text that `get` takes, which is the bytes themselves where they are few."""
        if len(data) <= SMALL:
            return "=" + data.hex()
        name = hashlib.blake2b(data, digest_size=DIGEST).hexdigest()
        place = self.folder / name[:2] / f"{name}.npy"
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=place.parent, suffix=".part")
            with os.fdopen(handle, "wb") as file:
                np.lib.format.write_array(file, np.frombuffer(data, np.uint8), allow_pickle=False)
            Path(temporary).replace(place)
            self.written += len(data)
        return name

    def get(self, key: str, limit: int) -> bytearray:
        """Bytes by their key, writable; at most `limit` of them.

        Raises `BadRecording` for a key that is none, a file that is missing or too long, or bytes of another digest.
        """
        if key.startswith("="):
            with contextlib.suppress(ValueError):
                return bytearray.fromhex(key[1:])
            raise BadRecording("a buffer is not written in hexadecimal digits")
        if len(key) != 2 * DIGEST or not set(key) <= set("0123456789abcdef"):
            raise BadRecording(f"{key[:60]!r} is not the name of a buffer")
        place = self.folder / key[:2] / f"{key}.npy"
        if place.is_symlink() or place.parent.is_symlink() or not place.is_file():
            raise BadRecording(f"the buffer {key} is not there")
        if place.stat().st_size > limit + 4096:
            raise BadRecording(f"the buffer {key} is larger than a recorded call may be")
        try:
            array = np.load(place, allow_pickle=False)
        except (ValueError, OSError, EOFError, SyntaxError) as error:
            raise BadRecording(f"the buffer {key} cannot be read: {error}") from None
        data = bytearray(array.tobytes()) if isinstance(array, np.ndarray) else bytearray()
        if hashlib.blake2b(data, digest_size=DIGEST).hexdigest() != key:
            raise BadRecording(f"the buffer {key} holds other bytes than its name says")
        return data
