"""Pools of dice, what can be read off them with exact weights, and where faces come from; no rule reads a face."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import comb
from typing import Literal, Protocol

import msgspec

Read = Literal["sum", "highest", "successes"]


class Pool(msgspec.Struct, frozen=True, gc=False):
    """Dice to be thrown together and how their total is read.

    `edge` above 0 throws so many dice more and drops as many of the lowest, below 0 of the highest.
    `target` is the face that counts as a success where `read` is "successes"; a face of at least `twice` counts double,
    one of at least `again` counts and is thrown again, and so on. What is thrown again has no end, so the total is read
    up to `most`, which then stands for that much or more. With `botch` it is -1 where there is no success and a 1.
    With `naturals` the one die that is kept decides by itself where it shows its highest or its lowest face.
    """

    dice: int
    plus: int = 0
    edge: int = 0
    sides: int = 6
    read: Read = "sum"
    target: int = 0
    naturals: bool = False
    again: int = 0
    twice: int = 0
    most: int = 0
    botch: bool = False

    @property
    def thrown(self) -> int:
        return self.dice + abs(self.edge)

    @property
    def range(self) -> tuple[int, int]:
        """The lowest and the highest total that these dice can show."""
        return self.total([1] * self.thrown), self.most or self.total([self.sides] * self.thrown)

    def shows(self, faces: Sequence[int]) -> bool:
        """Whether these dice can show the faces: one for each die, and one more for each face that is thrown again."""
        left = self.thrown
        for face in faces:
            if not left or not 1 <= face <= self.sides:
                return False
            left += int(bool(self.again) and face >= self.again) - 1
        return not left

    def successes(self, face: int) -> int:
        """How many successes one face is."""
        return int(face >= self.target) + int(bool(self.twice) and face >= self.twice)

    def total(self, faces: Iterable[int]) -> int:
        kept = sorted(faces)
        if self.edge and kept:
            kept = kept[self.edge :] if self.edge > 0 else kept[: self.edge]
        if self.read == "sum":
            return sum(kept) + self.plus
        if self.read == "highest":
            return (kept[-1] if kept else 0) + self.plus
        found = sum(self.successes(face) for face in kept)
        if self.botch and not found and kept and kept[0] == 1:
            return -1
        return (min(found, self.most) if self.most else found) + self.plus

    def natural(self, total: int) -> int:
        """The face of the one die that is kept, by the total."""
        return total - self.plus

    def passes(self, total: int, number: int, ties: bool = False) -> bool:
        """Whether a total exceeds the number, or meets it where ties count; a natural can decide it by itself."""
        if self.naturals and self.natural(total) >= self.sides:
            return True
        if self.naturals and self.natural(total) <= 1:
            return False
        return total > number or (ties and total == number)

    def __str__(self) -> str:
        text = f"{self.dice}d{self.sides}"
        if self.edge:
            text += " with Advantage" if self.edge > 0 else " with Disadvantage"
            text += f" x{abs(self.edge)}" if abs(self.edge) > 1 else ""
        return f"{text} + {self.plus}" if self.plus > 0 else f"{text} - {-self.plus}" if self.plus < 0 else text


Weighted = tuple[tuple[tuple[int, int], ...], int]


@lru_cache(maxsize=4096)
def weights(pool: Pool) -> Weighted:
    """Every total of the pool in rising order with its whole-number weight, and the sum of the weights."""
    if pool.read == "successes" and (pool.again or pool.twice or pool.most or pool.botch):
        return _counted(pool)
    ways = _ways(pool)
    return tuple(sorted((total + pool.plus, weight) for total, weight in ways.items())), int(pool.sides**pool.thrown)


def _counted(pool: Pool) -> Weighted:
    """Successes where faces may count double or be thrown again: die by die, up to the most that is read.

    Raises ValueError for a pool with an edge, of which nobody could say which dice are dropped.
    """
    if pool.edge:
        raise ValueError(f"{pool}: what is thrown again has no edge")
    most = pool.most or pool.thrown * (2 if pool.twice else 1)
    longer = pool.sides if pool.again else 1
    one = _one_die(pool, most, longer)
    ways = [1] + [0] * most
    for _ in range(pool.thrown):
        ways = [sum(ways[k] * one[total - k] for k in range(total + 1)) for total in range(most + 1)]
    # A total of t takes t throws more than there are dice at the longest; so all are brought to that of the highest.
    levelled = [weight * longer ** (most - total) for total, weight in enumerate(ways)]
    whole = pool.sides**pool.thrown * longer**most
    levelled[most] = whole - sum(levelled[:most])
    found = dict(enumerate(levelled))
    if pool.botch and pool.thrown:
        plain = (sum(not pool.successes(face) for face in range(2, pool.sides + 1))) ** pool.thrown
        plain *= longer**most
        found = {-1: found[0] - plain, **found, 0: plain}
    found = {total + (pool.plus if total >= 0 else 0): weight for total, weight in found.items() if weight}
    return tuple(sorted(found.items())), whole


def _one_die(pool: Pool, most: int, longer: int) -> list[int]:
    """With which weight one die comes to so many successes, out of the throws that these take at the longest.

    A face that is thrown again counts at least once, so that it ends.
    """
    faces = range(1, pool.sides + 1)
    on = [pool.successes(face) for face in faces if pool.again and face >= pool.again]
    still = [pool.successes(face) for face in faces if not (pool.again and face >= pool.again)]
    found: list[int] = []
    for total in range(most + 1):
        weight = still.count(total) * longer**total
        weight += sum(found[total - value] * longer ** (value - 1) for value in on if 0 < value <= total)
        found.append(weight)
    return found


def _ways(pool: Pool) -> dict[int, int]:
    """Place the dice face by face from the lowest up, so that the one to be dropped is known when it is placed."""
    done: dict[tuple[int, int], int] = {(0, 0): 1}
    for face in range(1, pool.sides + 1):
        nxt: dict[tuple[int, int], int] = {}
        for (placed, total), weight in done.items():
            left = pool.thrown - placed
            for count in range(left + 1):
                value = _add(pool, total, face, count - _dropped(pool, placed, count))
                key = (placed + count, value)
                nxt[key] = nxt.get(key, 0) + weight * comb(left, count)
        done = nxt
    return {total: weight for (placed, total), weight in done.items() if placed == pool.thrown}


def _dropped(pool: Pool, placed: int, count: int) -> int:
    """How many of the dice that are placed next are among the lowest, or the highest, that are not kept."""
    first, last = (0, pool.edge) if pool.edge > 0 else (pool.thrown + pool.edge, pool.thrown)
    return max(0, min(placed + count, last) - max(placed, first))


def _add(pool: Pool, total: int, face: int, kept: int) -> int:
    if kept == 0:
        return total
    if pool.read == "sum":
        return total + face * kept
    if pool.read == "highest":
        return max(total, face)
    return total + (kept if face >= pool.target else 0)


@lru_cache(maxsize=65536)
def beating(pool: Pool, number: int, ties: bool) -> tuple[int, int]:
    """The weight with which the pool exceeds the number (or meets it, where ties count), and all the weight."""
    totals, whole = weights(pool)
    return sum(weight for total, weight in totals if pool.passes(total, number, ties)), whole


class Source(Protocol):
    """Where the faces of a pool come from: faces, or a total read elsewhere; None leaves the roll to a person."""

    def faces(self, pool: Pool, chain: bytes, index: int) -> tuple[int, ...] | int | None: ...


class Seeded:
    """Faces as a keyed hash of a secret seed, what has been done so far, and the place in the group.

    Doing the same again brings the same dice, doing something else brings others.
    """

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def faces(self, pool: Pool, chain: bytes, index: int) -> tuple[int, ...]:
        stream = _stream(self.seed, chain + index.to_bytes(4, "big"))
        size = ((pool.sides - 1).bit_length() + 7) // 8
        fair = 256**size - 256**size % pool.sides
        faces: list[int] = []
        left = pool.thrown
        while left:
            drawn = int.from_bytes(bytes(next(stream) for _ in range(size)), "big")
            if drawn < fair:
                faces.append(drawn % pool.sides + 1)
                left += int(bool(pool.again) and faces[-1] >= pool.again) - 1
        return tuple(faces)


def _stream(seed: bytes, data: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hashlib.blake2b(data + block.to_bytes(4, "big"), key=seed, digest_size=64).digest()
        block += 1


class ByHand:
    """Every roll is left to the person who makes it at the table."""

    def faces(self, pool: Pool, chain: bytes, index: int) -> None:
        return None


class Scripted:
    """Rolls written down beforehand, in order: a tuple holds faces, a number is the total that was read.

    A total is taken as it stands, also one that the dice could not show. Raises IndexError when no roll is left,
    and ValueError for faces that these dice cannot show.
    """

    def __init__(self, *rolls: int | tuple[int, ...]) -> None:
        self.rolls = list(rolls)

    def faces(self, pool: Pool, chain: bytes, index: int) -> tuple[int, ...] | int:
        if not self.rolls:
            raise IndexError(f"no scripted roll is left for {pool}")
        roll = self.rolls[0]
        if isinstance(roll, tuple) and not pool.shows(roll):
            wanted = f"{pool.thrown} face{'s' * (pool.thrown != 1)} from 1 to {pool.sides}"
            raise ValueError(f"the scripted roll {roll} does not fit {pool}: give {wanted}, or the total as a number")
        return self.rolls.pop(0)


SEED_BYTES = 32


def seed_bytes(seed: int | str | bytes) -> bytes:
    """A seed of 32 bytes out of whatever a person typed."""
    if isinstance(seed, bytes):
        return seed if len(seed) == SEED_BYTES else hashlib.sha256(seed).digest()
    return hashlib.sha256(f"seed {seed}".encode()).digest()


def commitment(seed: bytes) -> str:
    """What a table publishes at its start, so that the seed revealed at its end can be checked."""
    return hashlib.sha256(b"commitment" + seed).hexdigest()
