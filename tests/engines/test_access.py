"""Servers that ask who we are: credentials, trust, and that no secret is ever shown."""

import os
import shutil
import ssl
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bibfold.engines import open_engine
from bibfold.engines.base import Engine
from bibfold.engines.elasticsearch import Elasticsearch
from bibfold.engines.opensearch import OpenSearch
from bibfold.engines.solr import Solr
from bibfold.errors import EngineError, EngineUnavailable, SettingsError
from tests.conftest import Ran
from tests.servers.proxy import FaultProxy

OPENED: dict[str, Callable[..., Engine]] = {"solr": Solr, "elasticsearch": Elasticsearch, "opensearch": OpenSearch}
BASIC = f"Basic {b64encode(b'reader:hunter2').decode()}"


@pytest.fixture(params=OPENED)
def engine_name(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def target(request: pytest.FixtureRequest, engine_name: str) -> str:
    url: str = request.getfixturevalue(f"{engine_name}_url")
    return url


@pytest.fixture
def guarded(target: str) -> Iterator[FaultProxy]:
    """The server behind a proxy that lets one user in."""
    with closing(FaultProxy(target)) as proxy:
        proxy.demanded = BASIC
        yield proxy


def credentials(name: str, password: str) -> dict[str, str]:
    return {f"BIBFOLD_{name.upper()}_USER": "reader", f"BIBFOLD_{name.upper()}_PASSWORD": password}


def test_the_right_password_opens(engine_name: str, guarded: FaultProxy) -> None:
    with closing(OPENED[engine_name](guarded.url, credentials(engine_name, "hunter2"))) as engine:
        assert engine.ready()
        assert isinstance(engine.indexes(), list)


@pytest.mark.parametrize(("password", "status"), [("hunter3", 403), ("", 401)])
def test_wrong_credentials_are_said_but_not_told(
    engine_name: str, guarded: FaultProxy, password: str, status: int
) -> None:
    environ = credentials(engine_name, password) if password else {}
    with closing(OPENED[engine_name](guarded.url, environ)) as engine:
        assert not engine.ready()
        guarded.requests = 0
        with pytest.raises(EngineError, match=f"({status}).*BIBFOLD_{engine_name.upper()}_PASSWORD") as refused:
            engine.indexes()
        assert guarded.requests == 1
        assert not isinstance(refused.value, EngineUnavailable)
        assert "hunter3" not in f"{refused.value} {refused.value!r} {vars(engine)}"


def test_an_api_key_wins_over_a_password(elasticsearch_url: str) -> None:
    with closing(FaultProxy(elasticsearch_url)) as proxy:
        proxy.demanded = "ApiKey key9"
        environ = {**credentials("elasticsearch", "hunter2"), "BIBFOLD_ELASTICSEARCH_API_KEY": "key9"}
        with closing(Elasticsearch(proxy.url, environ)) as engine:
            assert isinstance(engine.indexes(), list)
        with closing(Elasticsearch(proxy.url, {"BIBFOLD_ELASTICSEARCH_API_KEY": "key8"})) as engine:
            with pytest.raises(EngineError, match="BIBFOLD_ELASTICSEARCH_API_KEY") as refused:
                engine.indexes()
            assert "key8" not in str(refused.value)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for loopback that vouches for itself, and its key."""
    if (openssl := shutil.which("openssl")) is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no openssl to make a certificate with", pytrace=False)
        pytest.skip("no openssl to make a certificate with")
    folder = tmp_path_factory.mktemp("tls")
    key, made = folder / "key.pem", folder / "certificate.pem"
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    name = ["-subj", "/CN=bibfold tests", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = [openssl, "req", "-x509", *kind, *name, "-keyout", str(key), "-out", str(made)]
    subprocess.run(command, check=True, capture_output=True)
    return made, key


@pytest.fixture
def over_tls(target: str, certificate: tuple[Path, Path]) -> Iterator[FaultProxy]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with closing(FaultProxy(target, context)) as proxy:
        yield proxy


def test_a_trusted_certificate_is_taken(
    engine_name: str, over_tls: FaultProxy, certificate: tuple[Path, Path], alias: str
) -> None:
    environ = {f"BIBFOLD_{engine_name.upper()}_CA_FILE": str(certificate[0])}
    with closing(OPENED[engine_name](over_tls.url, environ)) as engine:
        engine.create(alias)
        assert engine.count(alias) == 0
        engine.drop(alias)


def test_another_certificate_is_refused(engine_name: str, over_tls: FaultProxy) -> None:
    with closing(OPENED[engine_name](over_tls.url, {})) as engine:
        with pytest.raises(EngineError, match=f"set BIBFOLD_{engine_name.upper()}_CA_FILE") as refused:
            engine.indexes()
        assert not isinstance(refused.value, EngineUnavailable)


def test_a_file_without_certificates_is_refused_at_once(engine_name: str, tmp_path: Path) -> None:
    variable = f"BIBFOLD_{engine_name.upper()}_CA_FILE"
    (tmp_path / "empty.pem").write_text("nothing")
    for name in ("absent.pem", "empty.pem"):
        with pytest.raises(SettingsError, match=f"{variable}: .*{name}"):
            OPENED[engine_name]("https://127.0.0.1:9", {variable: str(tmp_path / name)})


@pytest.mark.parametrize("address", ["sorl:http://reader:hunter2@a", "solr:reader:hunter2@a:8983", "memory:hunter2"])
def test_an_address_that_cannot_be_used_is_not_repeated_with_its_password(address: str) -> None:
    with pytest.raises(SettingsError) as refused:
        open_engine(address)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("command", ["engines", "settings"])
def test_no_command_shows_a_secret(
    command: str,
    engine_name: str,
    guarded: FaultProxy,
    bibfold: Callable[..., Ran],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    environ = {**credentials(engine_name, "hunter3"), "BIBFOLD_ELASTICSEARCH_API_KEY": "key9"}
    for name, value in {**environ, "BIBFOLD_ENGINE": f"{engine_name}:{guarded.url}"}.items():
        monkeypatch.setenv(name, value)
    shown = bibfold(command)
    assert guarded.url in shown.out
    assert "hunter3" not in shown.out + shown.err
    assert "key9" not in shown.out + shown.err
