"""What POST /v1/lookup answers, in every format, and what it refuses."""

import httpx
import pytest

from tests.service.conftest import RECORDS


def test_a_record_is_looked_up_with_its_reasons(client: httpx.Client) -> None:
    answer = client.post("/v1/lookup", json=RECORDS[1]).json()["answers"][0]
    assert answer["decision"] == "same"
    assert answer["candidates"][0]["cluster"] == answer["cluster"]
    assert {found["field"] for found in answer["candidates"][0]["evidence"]} >= {"title", "authors", "year"}


def test_many_records_are_answered_in_order(client: httpx.Client) -> None:
    answers = client.post("/v1/lookup", json=[*RECORDS, {"title": "Nothing like the others at all"}]).json()["answers"]
    assert [answer["record"].get("title") for answer in answers[:4]] == [record["title"] for record in RECORDS]
    assert answers[4]["decision"] == "different"
    assert answers[4]["cluster"] is None


def test_explain_gives_reasons_for_what_is_different(client: httpx.Client) -> None:
    near = {"title": "Insulin glargine and weight gain in adolescents", "year": 1990}
    plain = client.post("/v1/lookup", json=near).json()["answers"][0]["candidates"][0]
    explained = client.post("/v1/lookup?explain=true", json=near).json()["answers"][0]["candidates"][0]
    assert plain["decision"] == "different"
    assert "evidence" not in plain
    assert explained["evidence"]


@pytest.mark.parametrize(
    ("media", "body"),
    [
        ("application/x-bibtex", "@article{k, title={Screening for cervical cancer by cytology}, year=2011}"),
        (
            "application/x-research-info-systems",
            "TY  - JOUR\nTI  - Screening for cervical cancer by cytology\nER  - \n",
        ),
        ("text/csv", "title,year\nScreening for cervical cancer by cytology,2011\n"),
        ("text/plain", "TY  - JOUR\nTI  - Screening for cervical cancer by cytology\nER  - \n"),
        ("application/x-ndjson", '{"title": "Screening for cervical cancer by cytology"}\n'),
    ],
)
def test_any_readable_format_is_taken_by_its_content_type(client: httpx.Client, media: str, body: str) -> None:
    answer = client.post("/v1/lookup", content=body, headers={"content-type": media})
    assert answer.status_code == 200, answer.text
    assert answer.json()["answers"][0]["candidates"][0]["record"]["id"] == "x/y z"


@pytest.mark.parametrize(
    ("media", "body", "status"),
    [
        ("application/json", b"{", 400),
        ("application/json", b"[" * 100_000, 400),
        ("application/json", b"[1]", 400),
        ("application/json", b'{"title": ["a list"]}', 400),
        ("application/json", b"{}", 422),
        ("application/json", b"[]", 422),
        ("application/json", b'{"title": "  "}', 422),
        ("application/json", b"[" + b'{"title":"a"},' * 1_000 + b'{"title":"a"}]', 413),
        ("image/png", b"x", 415),
        ("application/x-ndjson", b"\x1f\x8b\x08\x00aaaa", 415),
        ("application/marcxml+xml", b"<!DOCTYPE a [<!ENTITY b 'c'>]><collection>&b;</collection>", 400),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_shape(
    client: httpx.Client, media: str, body: bytes, status: int
) -> None:
    answer = client.post("/v1/lookup", content=body, headers={"content-type": media})
    assert answer.status_code == status
    error = answer.json()["error"]
    assert error["message"]
    assert error["request"] == answer.headers["x-request-id"]
