"""How often one address may ask: so many requests a second on average, several seconds' worth at once."""

import time
from collections.abc import Callable
from typing import Final

BURST: Final = 10
"""So many seconds' worth of requests may come at once."""

MOST_CLIENTS: Final = 10_000


class Rates:
    """What each address has left; `rate` 0 lets everybody ask without end."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def allow(self, client: str) -> bool:
        """Whether one more request of this address is taken; it counts if so."""
        if not self._rate:
            return True
        now, most = self._clock(), self._rate * BURST
        left, before = self._left.pop(client, (most, now))
        left = min(most, left + (now - before) * self._rate)
        self._left[client] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > MOST_CLIENTS:
            self._left.pop(next(iter(self._left)))
        return left >= 1
