"""What Prometheus may ask: requests by route and status, how long they took, what waits."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The figures of one service."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "bibfold_requests_total", "Requests, by method and status.", ("method", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "bibfold_request_seconds", "Time to answer a request.", buckets=BUCKETS, registry=self._registry
        )
        self._waiting = Gauge("bibfold_lookups_waiting", "Records that wait to be looked up.", registry=self._registry)
        self._queued = Gauge("bibfold_commands_waiting", "Commands that wait for the writer.", registry=self._registry)

    def answered(self, method: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method, str(status)).inc()
        self._seconds.observe(seconds)

    def text(self, waiting: int, queued: int) -> bytes:
        """All figures, in Prometheus's own form."""
        self._waiting.set(waiting)
        self._queued.set(queued)
        return generate_latest(self._registry)
