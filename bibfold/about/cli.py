"""The commands that list formats and settings."""

import os
from pathlib import Path
from typing import Any

import click
import msgspec

from bibfold.console import echo, echo_json
from bibfold.display import without_password
from bibfold.options import config_option, json_option, say
from bibfold.records.formats import FORMATS
from bibfold.settings import PREFIX, SETTINGS, from_environment, from_file, unknown_variables


@click.command()
@json_option
def formats(as_json: bool) -> None:
    """List the formats that are read and written.

    For each format it says where people export files of it, and what the choice is called there.

    Example: bibfold formats --json
    """
    for name, form in FORMATS.items():
        ways = ["read", "write"] if form.writer else ["read"]
        if as_json:
            data = {
                "name": name,
                "title": form.title,
                "endings": form.endings,
                "ways": ways,
                "exports": form.exports,
            }
            echo_json(data)
        else:
            echo(f"{name:<12} {', '.join(ways):<12} {form.title} ({' '.join(form.endings)})")
            for export in form.exports:
                echo(f"{'':<25} {export}")


@click.command()
@config_option
@json_option
def settings(config: Path | None, as_json: bool) -> None:
    """List the settings, their current values and where these come from."""
    file = from_file(config) if config else {}
    environment = from_environment(os.environ)
    for variable in unknown_variables(os.environ):
        say(f"{variable} in the environment is no setting of bibfold's")
    for setting in SETTINGS:
        value: Any = setting.default
        origin = "default"
        if setting.name in environment:
            value, origin = environment[setting.name], PREFIX + setting.name.upper()
        elif setting.name in file:
            value, origin = file[setting.name], str(config)
        if setting.kind == "address":
            value = without_password(value)
        if as_json:
            data = {
                "name": setting.name,
                "value": value,
                "from": origin,
                "values": setting.allowed,
                "help": setting.help,
            }
            echo_json(data)
        else:
            shown = "unset" if value in (None, "") else msgspec.json.encode(value).decode()
            echo(f"{setting.name:<12} {shown:<14} ({origin}) {setting.help} Values: {setting.allowed}.")
