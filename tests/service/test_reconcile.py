"""The Reconciliation API 0.2: every answer has the shape that the community group's specification asks for."""

from typing import Any

import httpx
import jsonschema
import msgspec

TEXT = {"type": "string"}
SERVICE = {"type": "object", "properties": {"service_url": TEXT, "service_path": TEXT}}
NAMED = {"type": "object", "required": ["id", "name"], "properties": {"id": TEXT, "name": TEXT, "description": TEXT}}
MANIFEST = {
    "type": "object",
    "required": ["versions", "name", "identifierSpace", "schemaSpace"],
    "properties": {
        "versions": {"type": "array", "items": TEXT, "contains": {"const": "0.2"}},
        "name": TEXT,
        "identifierSpace": TEXT,
        "schemaSpace": TEXT,
        "defaultTypes": {"type": "array", "items": NAMED, "uniqueItems": True},
        "view": {"type": "object", "required": ["url"], "properties": {"url": {"pattern": r"\{\{id\}\}"}}},
        "preview": {
            "type": "object",
            "required": ["url", "width", "height"],
            "properties": {
                "url": {"type": "string", "pattern": r"\{\{id\}\}"},
                "width": {"type": "integer"},
                "height": {"type": "integer"},
            },
        },
        "suggest": {"type": "object", "properties": {"entity": SERVICE, "property": SERVICE, "type": SERVICE}},
        "extend": {
            "type": "object",
            "properties": {"propose_properties": SERVICE, "property_settings": {"type": "array"}},
        },
    },
}
RESULTS = {
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "required": ["result"],
        "properties": {
            "result": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["id", "name", "score"],
                    "properties": {
                        "id": TEXT,
                        "name": TEXT,
                        "description": TEXT,
                        "score": {"type": "number"},
                        "match": {"type": "boolean"},
                        "type": {"type": "array", "items": NAMED},
                        "features": {
                            "type": "array",
                            "items": {"properties": {"id": TEXT, "value": {"type": ["boolean", "number"]}}},
                        },
                    },
                },
            }
        },
    },
}
SUGGESTIONS = {"type": "object", "required": ["result"], "properties": {"result": {"type": "array", "items": NAMED}}}
CELL = {
    "type": "object",
    "maxProperties": 1,
    "additionalProperties": False,
    "properties": {"str": TEXT, "int": {"type": "integer"}},
}
EXTENSION = {
    "type": "object",
    "required": ["rows", "meta"],
    "properties": {
        "meta": {"type": "array", "items": NAMED},
        "rows": {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": {"type": "array", "items": CELL}},
        },
    },
}
"""What the specification's schemas ask for, in our own words."""

ROW = {
    "query": "Insulin glargine and hypoglycemia in type 2 diabetes",
    "type": "work",
    "limit": 3,
    "properties": [
        {"pid": "authors", "v": ["Roe, Jane", {"id": "x", "name": "Doe, John"}]},
        {"pid": "year", "v": 2008},
        {"pid": "doi", "v": "10.1000/abc"},
        {"pid": "colour", "v": True},
    ],
}


def sent(client: httpx.Client, **form: Any) -> Any:
    answer = client.post("/reconcile", data={name: msgspec.json.encode(value).decode() for name, value in form.items()})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_manifest_says_what_is_offered(client: httpx.Client) -> None:
    jsonschema.validate(client.get("/reconcile").json(), MANIFEST)


def test_rows_of_a_table_are_matched(client: httpx.Client) -> None:
    results = sent(client, queries={"q0": ROW, "q1": {"query": "Nothing like this anywhere"}})
    jsonschema.validate(results, RESULTS)
    best = results["q0"]["result"][0]
    assert best["match"] is True
    assert best["score"] > 90
    assert len(results["q0"]["result"]) <= 3
    assert not any(found["match"] for found in results["q1"]["result"])
    by_address = client.get("/reconcile", params={"queries": msgspec.json.encode({"q0": ROW}).decode()})
    assert by_address.json()["q0"] == results["q0"]


def test_properties_are_fetched_for_clusters(client: httpx.Client) -> None:
    cluster = sent(client, queries={"q": ROW})["q"]["result"][0]["id"]
    data = sent(
        client, extend={"ids": [cluster, "c999"], "properties": [{"id": "year"}, {"id": "doi"}, {"id": "authors"}]}
    )
    jsonschema.validate(data, EXTENSION)
    assert data["rows"][cluster]["year"] == [{"int": 2008}]
    assert data["rows"][cluster]["doi"] == [{"str": "10.1000/abc"}]
    assert data["rows"]["c999"] == {"year": [], "doi": [], "authors": []}


def test_entities_properties_and_types_are_suggested(client: httpx.Client) -> None:
    for name, prefix, expected in [
        ("entity", "cervical cancer", "Screening for cervical cancer by cytology"),
        ("property", "Jour", "Journal, series or book"),
        ("type", "wo", "Work"),
    ]:
        data = client.get(f"/reconcile/suggest/{name}", params={"prefix": prefix}).json()
        jsonschema.validate(data, SUGGESTIONS)
        assert expected in [entry["name"] for entry in data["result"]]
    assert {"id": "year", "name": "Year"} in client.get("/reconcile/propose?type=work").json()["properties"]


def test_a_preview_may_stand_in_a_frame_and_is_no_markup(client: httpx.Client) -> None:
    cluster = client.get("/v1/records/a/2").json()["cluster"]
    answer = client.get("/reconcile/preview", params={"id": cluster})
    assert "frame-ancestors *" in answer.headers["content-security-policy"]
    assert "&lt;script&gt;" in answer.text
    assert "<script" not in answer.text


def test_what_is_not_of_the_protocol_is_refused(client: httpx.Client) -> None:
    for form in ({"queries": "{"}, {"queries": "[]"}, {"queries": "[" * 50_000}, {"extend": "{}"}, {"other": "x"}):
        answer = client.post("/reconcile", data=form)
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == "bad_request"
    many = {f"q{number}": {"query": "a b"} for number in range(1_001)}
    assert client.post("/reconcile", data={"queries": msgspec.json.encode(many).decode()}).status_code == 413
