"""What an action uses up, item by item, and what was committed to it."""

from __future__ import annotations

from fractions import Fraction

from turnwright.model.names import ActorId, RuleId, Struct


class Cost(Struct, frozen=True):
    """One thing that an action uses up: so much of a resource, why, and by which rule."""

    resource: str
    amount: int
    why: str
    rule: RuleId


class Stretch(Struct, frozen=True):
    """One part of what is used up on the way, step by step: metres of allowance, why, and by which rule."""

    metres: Fraction
    why: str
    rule: RuleId


class Price(Struct, frozen=True):
    """Everything that an action uses up, item by item: what is charged at once, and the metres along the way."""

    costs: tuple[Cost, ...] = ()
    along: tuple[Stretch, ...] = ()
    way: str = ""
    """What this way of paying is called, where there are several."""

    def amount(self, resource: str) -> int:
        found = 0
        for cost in self.costs:
            if cost.resource == resource:
                found += cost.amount
        return found

    @property
    def metres(self) -> Fraction:
        """Metres of allowance that are used up on the way."""
        return sum((stretch.metres for stretch in self.along), Fraction(0))

    def plus(self, *costs: Cost) -> Price:
        return Price(self.costs + costs, self.along, self.way)


NOTHING = Price()


def cost(resource: str, amount: int, why: str, rule: RuleId) -> Cost:
    """One thing that is used up, as a short word in prices."""
    return Cost(resource, amount, why, rule)


class Check(Struct, frozen=True):
    """A check that an action will make: by whom, in what, with how many dice at least, and how far it is boosted."""

    actor: ActorId
    skill: str
    dice: int
    most: int
    """How much may be committed beyond the price: the limit of the rule and of what can be paid."""
    why_most: RuleId = ""


class Bill(Struct, frozen=True):
    """What somebody commits before any die falls: the price and, for a check, the check."""

    price: Price
    check: Check | None = None
    label: str = ""


class Paid(Struct, frozen=True):
    """What somebody has committed."""

    price: Price = NOTHING
    boost: int = 0
    dice: int = 0
    edge: int = 0
    """Advantages less Disadvantages from whoever helped or hindered before the commitment."""
