"""The secrets in links: made from the process's key, so that they can be shown again, and kept only as digests."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from pathlib import Path

HOUSE = "house"
KEY_BYTES = 32
TOKEN = 43
"""Characters of a link's secret."""


class BadKey(ValueError):
    """A key file that holds no key."""


class Links:
    """Makes the secret of each link: 256 bits that nobody can guess, and that change when a link is renewed."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def token(self, table_id: str, seat: str, renewed: int) -> str:
        """The secret of a seat's link at a table, after so many renewals."""
        return self._made(f"seat\0{table_id}\0{seat}\0{renewed}")

    @property
    def house(self) -> str:
        """The secret of the lobby, where tables are opened."""
        return self._made(HOUSE)

    def is_house(self, token: str) -> bool:
        return hmac.compare_digest(self.house.encode(), token.encode("utf-8", "surrogatepass"))

    def _made(self, what: str) -> str:
        made = hmac.new(self._key, what.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(made).decode().rstrip("=")


def is_token(text: str) -> bool:
    """Whether it has the shape of a link's secret; nothing else is looked for."""
    return len(text) == TOKEN and text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def digest_of(token: str) -> str:
    """What is stored of a link's secret."""
    return hashlib.sha256(f"link {token}".encode("utf-8", "surrogatepass")).hexdigest()


def key_from(text: str) -> bytes:
    """A key out of what the environment gives. Raises BadKey for one that is too short to be secret."""
    if len(text.strip()) < KEY_BYTES:
        raise BadKey(f"expected a key of at least {KEY_BYTES} characters; got {len(text.strip())}")
    return hashlib.sha256(text.strip().encode()).digest()


def key_in(path: Path) -> bytes:
    """The key in a file that only its owner can read; a new one where there is none. Raises BadKey, OSError."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        held = path.read_bytes().strip()
        try:
            key = bytes.fromhex(held.decode("ascii"))
        except ValueError:
            key = b""
        if len(key) != KEY_BYTES:
            raise BadKey(f"{path}: expected {2 * KEY_BYTES} hexadecimal digits; got {len(held)} other bytes") from None
        return key
    key = secrets.token_bytes(KEY_BYTES)
    with os.fdopen(handle, "w") as file:
        file.write(key.hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    return key
