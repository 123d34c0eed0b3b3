"""The OpenAPI document is tried out: no request that is made from it breaks the service."""

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

BOUNDED = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def test_no_request_made_from_the_document_breaks_the_service(address: str) -> None:
    tried: list[str] = []
    for found in schemathesis.openapi.from_url(f"{address}/openapi.json").get_all_operations():
        operation = found.ok()

        @BOUNDED
        @given(case=operation.as_strategy())
        def answered(case: schemathesis.Case) -> None:
            answer = case.call(timeout=20)
            assert answer.status_code != 500, answer.text
            if answer.status_code >= 400:
                assert set(answer.json()["error"]) == {"code", "message", "request"}

        answered()
        tried.append(operation.label)
    assert "POST /v1/lookup" in tried
    assert len(tried) >= 12
