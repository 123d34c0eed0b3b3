"""The commands that run the service and that make its tokens; each imports what it runs when it runs."""

from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bibfold.console import echo, echo_json
from bibfold.errors import EngineUnavailable, SettingsError
from bibfold.options import catalogue_option, json_option, say, setting_options
from bibfold.settings import MATCHING

if TYPE_CHECKING:
    from bibfold.workspace import Layers


@click.command()
@catalogue_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8017, show_default=True, help="The port; 0 for any.")
@click.option(
    "--allow-host", "names", multiple=True, metavar="NAME", help="A name that the service is reached by; repeatable."
)
@click.option(
    "--reports",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="A folder of evaluation reports to show.",
)
@click.option(
    "--body-limit",
    type=click.IntRange(min=1_000),
    default=16_000_000,
    show_default=True,
    metavar="BYTES",
    help="The largest body of a request.",
)
@click.option(
    "--queue-limit",
    type=click.IntRange(min=1),
    default=2_000,
    show_default=True,
    metavar="RECORDS",
    help="How many records may wait to be looked up; beyond it requests are answered with 503.",
)
@click.option(
    "--rate-limit",
    type=click.FloatRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Requests a second that one address may send, beyond a burst; 0 for any number.",
)
@click.option(
    "--prefix", default="", metavar="PATH", help="The path that a reverse proxy serves it under, such as /bibfold."
)
@click.option("--behind-proxy", is_flag=True, help="Believe the X-Forwarded headers of a proxy on this machine.")
@setting_options(*MATCHING)
def serve(catalogue: Path, layers: "Layers", **given: Any) -> None:
    """Serve a catalogue over HTTP: the API, and pages for people.

    The API is described at /docs. On any address but a loopback one tokens are needed: make them with
    `bibfold token create`.
    """
    try:
        import uvicorn
    except ImportError as error:
        raise EngineUnavailable("the service needs more packages: pip install 'bibfold[service]'") from error
    from service.access import Access
    from service.app import application
    from service.guard import LOOPBACK, Limits
    from service.serving import Options, serving

    host, port, prefix = given["host"], given["port"], given["prefix"].rstrip("/")
    options = Options(
        hosts=(*LOOPBACK, host.lower(), *(name.lower() for name in given["names"])),
        limits=Limits(body=given["body_limit"], rate=given["rate_limit"]),
        waiting=given["queue_limit"],
        reports=given["reports"],
    )
    with serving(catalogue, layers, options) as served:
        access = Access(served.catalogue)
        if access.open() and not _is_loopback(host):
            raise SettingsError(
                f"--host {host}: others could reach the catalogue; make a token first: "
                f"bibfold token create --scope read --name NAME --catalogue {catalogue}"
            )
        config = uvicorn.Config(
            application(served, access),
            host=host,
            port=port,
            root_path=prefix,
            proxy_headers=given["behind_proxy"],
            forwarded_allow_ips="127.0.0.1,::1",
            server_header=False,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=10,
        )
        say(f"serving {catalogue} at http://{host}:{port}{prefix} (Ctrl-C ends it)")
        uvicorn.Server(config).run()


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@click.group()
def token() -> None:
    """Make, list and revoke the tokens of the service."""


@token.command("create")
@catalogue_option
@click.option("--name", required=True, help="Who has the token; it is recorded with what they change.")
@click.option(
    "--scope",
    required=True,
    type=click.Choice(["read", "write", "review"]),
    help="What it allows; every token allows to read.",
)
@json_option
def create_token(catalogue: Path, name: str, scope: str, as_json: bool) -> None:
    """Make a token and print it; it cannot be shown again."""
    from bibfold.catalogue.store import open_catalogue

    with open_catalogue(catalogue) as opened, opened.asking() as asking:
        secret = asking.create_token(name, scope)  # type: ignore[arg-type]
    echo_json({"name": name, "scope": scope, "token": secret}) if as_json else echo(secret)


@token.command("list")
@catalogue_option
@json_option
def list_tokens(catalogue: Path, as_json: bool) -> None:
    """List the tokens: their names, scopes and ages."""
    from bibfold.catalogue.asking import standing_tokens
    from bibfold.catalogue.store import open_catalogue

    with open_catalogue(catalogue) as opened, opened.reading() as read:
        for token in standing_tokens(read):
            made = datetime.fromtimestamp(token.created, UTC).isoformat(timespec="seconds")
            entry = {"name": token.name, "scope": token.scope, "created": made}
            echo_json(entry) if as_json else echo(f"{made} {token.scope:<7} {token.name}")


@token.command("revoke")
@catalogue_option
@click.argument("name")
def revoke_token(catalogue: Path, name: str) -> None:
    """Revoke a token; a running service refuses it within seconds."""
    from bibfold.catalogue.store import open_catalogue

    with open_catalogue(catalogue) as opened, opened.asking() as asking:
        asking.revoke_token(name)
