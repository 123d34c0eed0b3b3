"""The pages of the desk as a browser without scripts sees them."""

import re
from pathlib import Path

import httpx
import pytest

from service.desk.differences import marked
from service.desk.graph import MOST_RECORDS, graph
from service.serving import Options
from tests.service.conftest import RECORDS, running

PAGE = {"accept": "text/html"}


def form_secret(text: str) -> str:
    found = re.search(r'name="form" value="([0-9a-f]+)"', text)
    assert found
    return found[1]


def pasted(client: httpx.Client, text: str) -> str:
    secret = form_secret(client.get("/lookup").text)
    return client.post("/lookup", data={"form": secret, "text": text}, headers=PAGE).text


@pytest.mark.parametrize("path", ["/lookup", "/overview", "/docs", "/evaluation", "/login"])
def test_every_page_is_whole_and_loads_nothing_from_elsewhere(client: httpx.Client, path: str) -> None:
    answer = client.get(path, headers=PAGE)
    assert answer.status_code == 200
    assert answer.text.startswith("<!doctype html>")
    assert answer.text.rstrip().endswith("</html>")
    loaded = re.findall(r'(?:src|href)="([^"]*)"', answer.text)
    assert not [address for address in loaded if "//" in address]
    assert "style=" not in answer.text


@pytest.mark.parametrize(
    "text",
    [
        "10.1000/ABC",
        "https://doi.org/10.1000/abc",
        "doi:10.1000/abc",
        "@article{x, title={Insulin glargine and hypoglycemia in type 2 diabetes}, author={Roe, Jane}, year=2008}",
        '{"title": "Insulin glargine and hypoglycemia in type 2 diabetes", "year": 2008}',
        "Roe J, Doe J. Insulin glargine and hypoglycemia in type 2 diabetes. Diabetes Care 2008",
    ],
)
def test_a_pasted_record_identifier_or_citation_finds_its_cluster(client: httpx.Client, text: str) -> None:
    cluster = client.get("/v1/records/a/1").json()["cluster"]
    assert f'href="/clusters/{cluster}"' in pasted(client, text)


def test_what_cannot_be_looked_up_is_told_on_the_page(client: httpx.Client) -> None:
    assert "not JSON" in pasted(client, '{"title": ')
    assert "paste something" in pasted(client, "   ")


def test_titles_are_never_markup(client: httpx.Client) -> None:
    cluster = client.get("/v1/records/a/2").json()["cluster"]
    for text in (client.get(f"/clusters/{cluster}").text, pasted(client, str(RECORDS[2]["title"]))):
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
        assert "<script>alert" not in text


def test_a_form_of_another_page_is_refused(client: httpx.Client) -> None:
    client.get("/lookup")
    assert client.post("/lookup", data={"form": "guessed", "text": "10.1000/abc"}).status_code == 403


def test_a_page_that_is_not_there_is_told_as_a_page(client: httpx.Client) -> None:
    answer = client.get("/clusters/c999", headers=PAGE)
    assert answer.status_code == 404
    assert "no cluster or record" in answer.text


def test_reports_are_shown_from_their_folder_alone(catalogue: Path, tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "week 1.html").write_text("<h1>Precision</h1>")
    (tmp_path / "secret.html").write_text("secret")
    options = Options(reports=tmp_path / "reports")
    with running(catalogue, options) as address, httpx.Client(base_url=address) as client:
        assert "week 1.html" in client.get("/evaluation").text
        shown = client.get("/reports/week 1.html")
        assert shown.text == "<h1>Precision</h1>"
        assert "sandbox" in shown.headers["content-security-policy"]
        assert client.get("/reports/..%2Fsecret.html").status_code == 404


def test_links_follow_the_prefix_of_a_reverse_proxy(catalogue: Path) -> None:
    with running(catalogue, root_path="/bibfold") as address, httpx.Client(base_url=address) as client:
        assert 'href="/bibfold/static/desk.css"' in client.get("/lookup").text
        assert client.get("/static/desk.css").status_code == 200


def test_words_that_only_one_text_has_are_marked() -> None:
    assert marked("Insulin in men.", "Insulin in women") == "Insulin in <mark>men.</mark>"
    assert marked("a < b", "a < c") == "a &lt; <mark>b</mark>"
    assert marked("nothing to compare", "") == "nothing to compare"


def test_a_cluster_is_drawn_unless_it_is_one_record_or_a_knot() -> None:
    drawn = graph(RECORDS[:2], ())
    assert drawn is not None
    assert [edge["decision"] for edge in drawn["edges"]] == ["same"]
    assert [node["label"] for node in drawn["nodes"]] == ["a:1", "b:9"]
    assert graph(RECORDS[:1], ()) is None
    assert graph(RECORDS[:1] * (MOST_RECORDS + 1), ()) is None
