"""The picture under a map: made small and plain when it is put down, and cut to what a seat has seen."""

from __future__ import annotations

import io
import warnings
from collections import OrderedDict
from threading import Lock

from PIL import Image, ImageDraw

from turnwright.documents import BadScene, Problem
from turnwright.map_file import Fetch, whole
from turnwright.model import State
from turnwright.opening import read_scene
from turnwright.space.routes import Ground

MOST_PIXELS = 60_000_000
SIDE = 2_560
"""Pixels that a side has at most."""
STEPS = (64, 48, 32, 24, 16)
"""Pixels for a Space."""
KEPT = 64
"""So many cut pictures are remembered."""
QUALITY = 80


def pictured(text: str | bytes, source: str, fetch: Fetch | None) -> tuple[State, bytes]:
    """A scene, and the picture of its map as it is kept, or nothing. Raises BadScene."""
    found = whole(text, source, fetch)
    scene = read_scene(found.text, source)
    grid = scene.scene.grid
    if not found.picture or grid is None:
        return scene, b""
    return scene, prepared(found.picture, grid.width, grid.height, source)


def prepared(picture: bytes, width: int, height: int, source: str) -> bytes:
    """The picture as it is kept: so many pixels for each Space, and nothing but pixels. Raises BadScene.

    Each pixel is made from pixels of its own Space, so that cutting along Spaces leaves nothing of what is beside.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(picture), formats=("PNG", "JPEG", "WEBP")) as found:
                if found.width * found.height > MOST_PIXELS:
                    raise _bad(
                        source, f"a picture of at most {MOST_PIXELS:,} pixels", f"{found.width} x {found.height}"
                    )
                each = _each(width, height, found.width)
                plain = found.convert("RGB").resize((width * each, height * each), Image.Resampling.BOX)
    except BadScene:
        raise
    except (
        OSError,
        ValueError,
        SyntaxError,
        MemoryError,
        OverflowError,
        Warning,
        Image.DecompressionBombError,
    ) as error:
        raise _bad(source, "a PNG, JPEG or WebP picture that is whole", str(error) or type(error).__name__) from None
    return _written(plain, lossless=True)


def _bad(source: str, expected: str, got: str) -> BadScene:
    return BadScene((Problem(source, 0, "image", expected, got, "export the map again"),))


def _each(width: int, height: int, pixels: int) -> int:
    fits = [each for each in STEPS if each * max(width, height) <= SIDE]
    near = [each for each in fits if each <= max(16, pixels // width)]
    return (near or fits or [16])[0]


def _written(picture: Image.Image, *, lossless: bool) -> bytes:
    out = io.BytesIO()
    picture.save(out, "WEBP", lossless=lossless, quality=QUALITY, method=0, exif=b"", xmp=b"", icc_profile=None)
    return out.getvalue()


def cut(picture: bytes, field: Ground, seen: int) -> bytes:
    """The picture with nothing in it but the Spaces that were seen: the rest is clear, and was never written."""
    with Image.open(io.BytesIO(picture), formats=("WEBP",)) as found:
        plain = found.convert("RGB")
    if seen == field.every:
        return _written(plain, lossless=False)
    across, down = plain.width // field.width, plain.height // field.height
    mask = Image.new("1", (field.width, field.height))
    draw = ImageDraw.Draw(mask)
    draw.point(field.listed(seen), fill=1)
    mask = mask.resize((field.width * across, field.height * down), Image.Resampling.NEAREST)
    shown = Image.new("RGBA", plain.size)
    shown.paste(plain, mask=mask)
    return _written(shown, lossless=False)


class Cuts:
    """Pictures that were cut before, by table and by what was seen."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, table: str, seen: int) -> bytes | None:
        with self._lock:
            held = self._held.get((table, seen))
            if held is not None:
                self._held.move_to_end((table, seen))
            return held

    def put(self, table: str, seen: int, picture: bytes) -> None:
        with self._lock:
            self._held[table, seen] = picture
            while len(self._held) > KEPT:
                self._held.popitem(last=False)
