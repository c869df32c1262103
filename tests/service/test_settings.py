"""Settings: one table, read from the environment, documented whole."""

import dataclasses
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from saitei.index.retrieval import MAX_QUERY
from saitei.service.cli.options import setting_options, settings_from
from saitei.service.reference import TABLES
from saitei.service.settings import SettingError, Settings, load_settings, setting_table

SECRETS = {"line_channel_secret", "line_access_token"}


def test_the_environment_sets_each_kind_of_value() -> None:
    settings = load_settings(
        {
            "SAITEI_PORT": "9000",
            "SAITEI_RATE": "2.5",
            "SAITEI_MCP": "off",
            "SAITEI_PUBLIC_URL": " https://saitei.example ",
            "SAITEI_UNKNOWN": "kept out",
        }
    )
    assert (settings.port, settings.rate, settings.mcp) == (9000, 2.5, False)
    assert settings.public_url == "https://saitei.example"
    assert load_settings({}) == Settings()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PORT", "eighty", "'eighty' is not a number"),
        ("PORT", "0", "0 is less than 1"),
        ("PORT", "70000", "70000 is more than 65535"),
        ("RATE", "nan", "nan is less than 0"),
        ("RATE", "-1", "-1 is less than 0"),
        ("MAX_QUERY", "5000", "5000 is more than 1000"),
        ("MCP", "perhaps", "'perhaps' is neither on nor off"),
        ("PUBLIC_URL", "saitei.example", "must begin with https:// or http://"),
        ("DISCORD_PUBLIC_KEY", "SECRET", "not 64 hex digits"),
        ("DISCORD_PUBLIC_KEY", "00" * 31, "not 64 hex digits"),
        ("TRUSTED_PROXIES", "10.0.0.0/8, nonsense", "'nonsense' does not appear to be"),
    ],
)
def test_a_value_that_cannot_be_used_is_named(name: str, value: str, said: str) -> None:
    with pytest.raises(SettingError) as raised:
        load_settings({f"SAITEI_{name}": value})
    assert str(raised.value).startswith(f"SAITEI_{name}: ")
    assert said in str(raised.value)


def test_line_needs_both_its_secrets_and_quotes_neither() -> None:
    with pytest.raises(SettingError, match="SAITEI_LINE_ACCESS_TOKEN: missing") as raised:
        load_settings({"SAITEI_LINE_CHANNEL_SECRET": "SECRET"})
    assert "SECRET" not in str(raised.value).replace("CHANNEL_SECRET", "")


def test_secrets_are_in_no_representation() -> None:
    assert {info.name for info in setting_table() if info.secret} == SECRETS
    settings = dataclasses.replace(Settings(), **dict.fromkeys(SECRETS, "hidden-away"))
    assert "hidden-away" not in repr(settings)


def test_every_setting_has_a_help_text_and_a_default_within_its_bounds() -> None:
    for info in setting_table():
        assert info.help
        if info.minimum is not None:
            assert info.default >= info.minimum
        if info.maximum is not None:
            assert info.default <= info.maximum


def test_a_question_may_be_no_longer_than_the_search_takes() -> None:
    assert next(i for i in setting_table() if i.name == "max_query").maximum == MAX_QUERY


def test_the_documentation_has_every_setting_code_and_path() -> None:
    """Write them with ``python -m saitei.service.reference docs/api.md``."""
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    for table in TABLES.values():
        assert table() in page


@click.command()
@setting_options("service", "limits", "discord", "line", "mcp")
def shown(**given: object) -> None:
    """Prints the settings it was given."""
    click.echo(repr(settings_from(given)))


class TestOptions:
    """The same table on a command line."""

    def run(self, *arguments: str) -> str:
        result = CliRunner(env={"SAITEI_RATE": "7"}).invoke(shown, arguments)
        return result.output if result.exception is None else f"{result.output}{result.exception}"

    def test_an_option_comes_before_the_environment_and_that_before_the_default(self) -> None:
        assert "rate=7.0" in self.run()
        assert "rate=3.0" in self.run("--rate", "3")
        assert "burst=100" in self.run("--rate", "3")
        assert "mcp=False" in self.run("--no-mcp")

    def test_bounds_hold_and_what_belongs_together_is_checked(self) -> None:
        assert "65536" in self.run("--port", "65536")
        assert "SAITEI_PUBLIC_URL: must begin" in self.run("--public-url", "saitei.example")

    def test_help_names_every_setting_but_secrets(self) -> None:
        said = self.run("--help")
        for info in setting_table():
            if info.group != "ingest":
                assert (info.option in said) == (not info.secret)
