"""Routes that read: clusters, records, search, identifiers, statistics, health; and one shape for every error."""

import httpx
import pytest


def cluster_of(client: httpx.Client, key: str) -> str:
    source, _, id = key.partition(":")
    return str(client.get(f"/v1/records/{source}/{id}").json()["cluster"])


def test_a_cluster_is_shown_with_members_and_provenance(client: httpx.Client) -> None:
    name = cluster_of(client, "a:1")
    data = client.get(f"/v1/clusters/{name}").json()
    assert data["asked"] == data["cluster"] == name
    assert [f"{record['source']}:{record['id']}" for record in data["records"]] == ["a:1", "b:9"]
    assert data["provenance"]["title"] in ("a:1", "b:9")
    events = client.get(f"/v1/clusters/{name}/events").json()
    assert [event["kind"] for event in events] == ["joined", "founded"]


def test_a_cluster_comes_in_the_format_that_is_accepted(client: httpx.Client) -> None:
    name = cluster_of(client, "a:1")
    bibtex = client.get(f"/v1/clusters/{name}", headers={"accept": "application/x-bibtex"})
    assert bibtex.headers["content-type"].startswith("application/x-bibtex")
    assert bibtex.text.startswith("@")
    ris = client.get(f"/v1/clusters/{name}", headers={"accept": "application/x-research-info-systems"})
    assert ris.text.startswith("TY  -")
    both = client.get(f"/v1/clusters/{name}", headers={"accept": "application/json, application/x-bibtex;q=0.5"})
    assert both.json()["cluster"] == name


def test_a_record_is_found_whatever_its_id_holds(client: httpx.Client) -> None:
    assert client.get("/v1/records/b/x/y z").json()["asked"] == "b:x/y z"


def test_people_search_by_words_and_programs_by_identifier(client: httpx.Client) -> None:
    (found, *_) = client.get("/v1/search", params={"q": "cervical cancer"}).json()
    assert found["record"]["id"] == "x/y z"
    by_doi = client.get("/v1/identifiers/doi/10.1000/ABC").json()
    assert [entry["cluster"] for entry in by_doi] == [cluster_of(client, "a:1")]
    assert client.get("/v1/search", params={"q": "doi:10.1000/abc"}).json()[0]["cluster"] == by_doi[0]["cluster"]


def test_statistics_and_health(client: httpx.Client) -> None:
    assert client.get("/v1/stats").json()["records"] == 4
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ok"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/clusters/c999", 404),
        ("GET", "/v1/clusters/..%2f..%2fetc%2fpasswd", 404),
        ("GET", "/v1/clusters/c1/events?limit=0", 400),
        ("GET", "/v1/clusters/c1/events?limit=many", 400),
        ("GET", "/v1/records/a/none", 404),
        ("GET", "/v1/identifiers/issn/1234-5679", 404),
        ("GET", "/v1/identifiers/doi/nonsense", 400),
        ("GET", "/v1/identifiers/doi/10.1000/none", 404),
        ("GET", "/v1/search", 400),
        ("GET", "/nowhere", 404),
        ("DELETE", "/v1/stats", 405),
        ("GET", "/v1/lookup", 405),
        ("GET", "/reconcile/preview?id=c999", 404),
        ("POST", "/reconcile", 400),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/%2e%2e/app.py", 404),
        ("GET", "/reports/..%2f..%2fetc%2fpasswd", 404),
    ],
)
def test_every_route_fails_in_one_shape(client: httpx.Client, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status, answer.text
    assert set(answer.json()["error"]) == {"code", "message", "request"}


def test_the_openapi_document_names_every_route(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert {"/v1/lookup", "/v1/clusters/{name}", "/v1/search", "/reconcile"} <= set(document["paths"])
    assert "application/x-bibtex" in document["paths"]["/v1/lookup"]["post"]["requestBody"]["content"]


def test_metrics_count_requests(client: httpx.Client) -> None:
    client.get("/nowhere")
    text = client.get("/metrics").text
    assert 'bibfold_requests_total{method="GET",status="404"}' in text
    assert "bibfold_lookups_waiting 0.0" in text


def test_the_review_queue_is_listed_in_either_order(client: httpx.Client) -> None:
    assert client.get("/v1/review").json() == client.get("/v1/review?order=impact").json() == []
    assert client.get("/v1/review?order=size").status_code == 400
