"""``saitei verify``, ``compare``, ``replay``, ``cards``, ``faults``: scenarios on an engine."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from saitei.engine.errors import ScenarioError

if TYPE_CHECKING:
    from saitei.engine.cards import CardBook
    from saitei.engine.runner import ScenarioResult
    from saitei.engine.scenario import Scenario

FILE = click.Path(dir_okay=False, path_type=Path)
THERE = click.Path(exists=True, dir_okay=False, path_type=Path)
PHASE = "phase"


@contextmanager
def complaints() -> Iterator[None]:
    """Each complaint of scenario, card and verdict files on a line of its own, then exit 2."""
    try:
        yield
    except ScenarioError as error:
        for line in str(error).splitlines():
            click.echo(f"saitei: {line}", err=True)
        sys.exit(2)


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--engine NAME`` and ``--cards FILE``."""
    command = click.option(
        "--cards",
        "cards_file",
        type=THERE,
        help="手持ちの MTGJSON の AtomicCards（JSON）か、自作のカード定義（YAML）を使う",
    )(command)
    return click.option(
        "--engine",
        default=PHASE,
        show_default=True,
        metavar="NAME",
        help="エンジン: phase、エントリーポイント saitei.engines の名前、module:callable",
    )(command)


def card_book(file: Path | None) -> "CardBook":
    """The packaged cards, with the user's own where he names a file. Raises `ScenarioError`."""
    from saitei.engine.cards import packaged_cards

    book = packaged_cards()
    return book if file is None else book.with_file(file)


@click.command()
@click.argument("scenarios", nargs=-1, metavar="[SCENARIO]...")
@click.option(
    "--rule", "rules", multiple=True, metavar="N", help="この規則とその下位だけ（702.34）"
)
@click.option(
    "--mechanic", "mechanics", multiple=True, metavar="ID", help="この能力・カードについてだけ"
)
@click.option("--failed", is_flag=True, help="前回、期待どおりでなかったものだけ")
@engine_options
@click.option("--junit", type=FILE, metavar="FILE", help="JUnit XML を書く")
@click.option(
    "--baseline", type=THERE, metavar="FILE", help="以前の --json と比べ、後退を失敗とする"
)
@click.option("--json", "json_file", type=FILE, metavar="FILE", help="判定を JSON で書く")
@click.option("--replays", type=FILE, metavar="FILE", help="再現を jsonl.gz で書く")
@click.option("--workers", type=click.IntRange(1), help="並行して動かす数（既定: プロセッサの数）")
def verify(
    scenarios: tuple[str, ...],
    rules: tuple[str, ...],
    mechanics: tuple[str, ...],
    failed: bool,
    engine: str,
    cards_file: Path | None,
    junit: Path | None,
    baseline: Path | None,
    json_file: Path | None,
    replays: Path | None,
    workers: int | None,
) -> None:
    """裁定の場面をエンジンで実際に動かし、裁定どおりかを確かめる。

    SCENARIO は、場面の id、その前半（カードや能力の id）、ファイル、フォルダ、ファイル::id。
    省略すると同梱のすべて。

    \b
    終了コード
      0  どれも期待どおりか、エンジンが対応していない
      1  裁定と違う、対照で差が出ない、実行できない、または --baseline からの後退
         （期待どおり→違う・対応しない、は後退）
      2  使い方や入力の誤り
    --baseline を付けたときは、そのエンジンと版の既知の不具合（saitei faults）で
    説明できる「裁定と違う」は失敗に数えない。付けないときは数える。

    Example: saitei verify --mechanic flashback --junit report.xml
    """
    from saitei.service.cli.verifying import Verification, run_verification

    with complaints():
        wish = Verification(
            named=scenarios,
            rules=rules,
            subjects=mechanics,
            failed_only=failed,
            engine=engine,
            cards=card_book(cards_file),
            baseline=baseline,
            junit=junit,
            json=json_file,
            replays=replays,
            workers=workers,
        )
        sys.exit(run_verification(wish))


@click.command()
@click.argument("files", nargs=-1, type=THERE, metavar="BEFORE AFTER")
@click.option("--matrix", is_flag=True, help="いくつでも並べて Markdown の表にする")
def compare(files: tuple[Path, ...], matrix: bool) -> None:
    """２つの実行（saitei verify --json）を比べる。後退があれば終了コード 1。

    broken は期待どおりでなくなったもの、newly unsupported は対応しなくなったもの、fixed は
    期待どおりになったもの。初めの２つが後退。

    Example: saitei compare phase-0.83.0.json phase-0.103.0.json
    """
    from saitei.engine.comparing import compare as compare_runs
    from saitei.engine.comparing import comparison_lines, matrix_lines
    from saitei.engine.faults import packaged_faults
    from saitei.engine.verdicts import read_verdicts
    from saitei.service.scenarios import scenario_titles

    with complaints():
        if matrix:
            if not files:
                raise click.UsageError("--matrix には FILE が１つ以上必要です。")
            runs = [read_verdicts(file) for file in files]
            for line in matrix_lines(runs, scenario_titles(), packaged_faults()):
                click.echo(line)
            return
        if len(files) != 2:
            raise click.UsageError("比べる FILE を２つ指定してください。")
        before, after = (read_verdicts(file) for file in files)
        found = compare_runs(before, after)
        for line in comparison_lines(found, before, after):
            click.echo(line)
        sys.exit(1 if found.regressions else 0)


@click.command()
@click.argument("scenario")
@engine_options
@click.option(
    "--dump", type=FILE, metavar="FILE", help="エンジン自身の状態と操作の記録を JSON で書く"
)
def replay(scenario: str, engine: str, cards_file: Path | None, dump: Path | None) -> None:
    """場面と対照を動かし、起こったことを順に見せる。

    SCENARIO は場面の id か、ファイル::id。--dump のファイルは Saitei なしで読める
    （docs/engine.md）。

    Example: saitei replay flashback.countered-is-exiled
    """
    with complaints():
        book = card_book(cards_file)
        one = _only(scenario, book)
        result = _played(one, engine, book)
        if dump is not None:
            _write_dump(result, engine, dump)
        if result.verdict.cause in ("engine", "timeout"):
            # It would take this process down, too.
            click.echo(f"saitei: {result.verdict.reason}", err=True)
            sys.exit(1)
        from saitei.engine.faults import packaged_faults
        from saitei.engine.protocol import load_engine
        from saitei.service.replays.making import make_replay
        from saitei.service.replays.text import replay_lines

        made = make_replay(one, load_engine(engine), book, faults=packaged_faults())
        for line in replay_lines(made):
            click.echo(line)
        if result.verdict.reason:
            click.echo(f"\n{result.verdict.reason}")


def _only(name: str, book: "CardBook") -> "Scenario":
    from saitei.engine.selecting import find_scenarios

    found = find_scenarios([name], book)
    if len(found) != 1:
        ids = ", ".join(one.id for one in found)
        raise ScenarioError(f"'{name}' means {len(found)} scenarios, name one: {ids}")
    return found[0]


def _played(scenario: "Scenario", engine: str, book: "CardBook") -> "ScenarioResult":
    """Played in a process of its own, which may hang or die."""
    from saitei.engine.faults import packaged_faults
    from saitei.engine.pool import Job, run_pool
    from saitei.engine.protocol import load_engine

    load_engine(engine)  # a wrong name is said here, not by a process that dies
    job = Job(engine, book, packaged_faults(), trace=True)
    [result] = run_pool([scenario], job, workers=1)
    return result


def _write_dump(result: "ScenarioResult", engine: str, file: Path) -> None:
    from saitei.engine.dumps import dump_text
    from saitei.engine.protocol import load_engine

    adapter = load_engine(engine)
    text = dump_text(result, adapter.name, adapter.version)
    with writing(file):
        file.write_text(text, "utf-8")


@contextmanager
def writing(file: Path) -> Iterator[None]:
    """A file that cannot be written is the user's to mend."""
    try:
        yield
    except OSError as error:
        raise ScenarioError(f"{file}: cannot be written: {error.strerror}") from None


@click.group()
def cards() -> None:
    """同梱のカード定義（data/cards）を調べる。"""


@cards.command()
@engine_options
def audit(engine: str, cards_file: Path | None) -> None:
    """エンジンが読み取れないと言うカードと、言い換え・補正したカードを理由とともに挙げる。

    エンジンが黙って読み違えたものは、ここには出ない（対照で見つける）。

    Example: saitei cards audit --cards AtomicCards.json
    """
    from saitei.engine.audit import audit as flagged_cards
    from saitei.engine.protocol import load_engine

    with complaints():
        book, adapter = card_book(cards_file), load_engine(engine)
        flagged = flagged_cards(book, adapter)
        click.echo(
            f"読み取れない部分があるカード（{adapter.name} {adapter.version}）: {len(flagged)}"
        )
        for one in flagged:
            click.echo(f"  {one.card}  {one.place}")
            for words in one.words:
                click.echo(f"      {words}")
        definitions = [book.get(card) for card in book.ids]
        for title, reasons in (
            ("言い換えたカード", [(one, one.reworded) for one in definitions if one.reworded]),
            ("解釈を補正したカード", [(one, one.patched) for one in definitions if one.patch]),
        ):
            click.echo(f"{title}: {len(reasons)}")
            for card, reason in reasons:
                click.echo(f"  {card.id}  {card.place}\n      {reason}")
        click.echo(f"全部で {len(definitions)} 枚")


@click.command()
@click.option("--engine", default=PHASE, show_default=True, metavar="NAME", help="エンジンの名前")
def faults(engine: str) -> None:
    """知られているエンジンの不具合を、それを示す場面と収録済みの判定とともに挙げる。

    収録済みの判定で示されていない不具合があれば終了コード 1。

    Example: saitei faults
    """
    from saitei.engine.faults import packaged_faults
    from saitei.engine.verdicts import packaged_runs

    with complaints():
        runs = [run for run in packaged_runs() if run.engine == engine]
        known = [one for one in packaged_faults() if one.engine == engine]
        unproved = 0
        for fault in known:
            click.echo(f"{fault.id}  [{fault.cause}]  {fault.summary}")
            click.echo(f"    版: {', '.join(fault.versions)}")
            for scenario in fault.scenarios:
                seen = {run.version: run.verdict(scenario) for run in runs}
                outcomes = {version: one.outcome for version, one in seen.items() if one}
                shown = "、".join(f"{version} {outcome}" for version, outcome in outcomes.items())
                click.echo(f"    {scenario}  {shown or '判定は未収録'}")
                for version in fault.versions:
                    if outcomes.get(version, "contradicted") != "contradicted":
                        unproved += 1
                        click.echo(f"      ！ {version} では示されていない")
        click.echo(f"{len(known)} 件")
        sys.exit(1 if unproved else 0)
