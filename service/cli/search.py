"""``saitei search``, ``saitei ask``, ``saitei evaluate``."""

import sys
from pathlib import Path
from typing import BinaryIO

import click

from saitei.index.retrieval import QueryError
from saitei.service.answers import answer_view, search_view
from saitei.service.cli.options import kb_folder, kb_option, make_ready, shown_progress
from saitei.service.knowledge import Knowledge, OpenKnowledge
from saitei.service.text import (
    NOT_AN_ANSWER,
    REASONS,
    answer_lines,
    candidate_text,
    first_line,
    reading_lines,
)
from saitei.service.views import ReadingView, ResultView, SearchView

LIMIT = click.IntRange(1, 50)
SHOWN_REASONS = 3
"""Results that ``ask --explain`` gives the reasons of."""


def open_knowledge(kb: Path | None) -> OpenKnowledge:
    """The knowledge base, built first where there is none."""
    knowledge = Knowledge(kb_folder(kb))
    make_ready(knowledge)
    return knowledge.open()


@click.command()
@click.argument("query", required=False)
@kb_option
@click.option("--limit", type=LIMIT, default=10, show_default=True, help="結果の数")
@click.option("--json", "as_json", is_flag=True, help="JSON で出力")
@click.option("--explain", is_flag=True, help="その順位になった理由も出力")
@click.option(
    "--batch",
    type=click.File("rb"),
    help="1行1質問の UTF-8 ファイル（- で標準入力）",
)
@click.option("--jsonl", is_flag=True, help="--batch の出力: 1行に1つの JSON")
def search(
    query: str | None,
    kb: Path | None,
    limit: int,
    as_json: bool,
    explain: bool,
    batch: BinaryIO | None,
    jsonl: bool,
) -> None:
    """質問に近い裁定を順に並べる。

    Example: saitei search "腐乱持ちは必ず攻撃する？" --limit 3
    """
    if (query is None) == (batch is None):
        raise click.UsageError("QUERY か --batch FILE のどちらか一方を指定してください。")
    if jsonl and batch is None:
        raise click.UsageError("--jsonl は --batch と一緒に指定してください。")
    if batch is not None:
        if not jsonl:
            raise click.UsageError("--batch には --jsonl を付けてください。")
        _search_batch(batch, open_knowledge(kb), limit, explain)
        return
    knowledge = open_knowledge(kb)
    view = search_view(knowledge.search(query or "", limit, explain), knowledge)
    if as_json:
        click.echo(view.model_dump_json(indent=2))
        return
    for line in reading_lines(view.reading):
        click.echo(line)
    if not view.answered:
        click.echo(view.message)
        click.echo(NOT_AN_ANSWER)
    if explain:
        _echo_confidence(view)
    for number, result in enumerate(view.results, 1):
        click.echo(f"{number:2}. {candidate_text(result)}  [{result.id}]")
        _echo_reason(result)


def _echo_confidence(view: SearchView) -> None:
    click.echo(f"確からしさ: {view.confidence:.4f}（{view.needed:.4f} から答えます）")
    if view.refused:
        click.echo(f"答えない理由: {REASONS[view.refused]}")


def _echo_reason(result: ResultView) -> None:
    if result.explain:
        why = result.explain
        terms = ", ".join(f"{t} {s:.1f}" for t, s in list(why.terms.items())[:8])
        click.echo(
            f"    確率 {why.probability:.2f}  語 {_place(why.lexical_rank)}"
            f"  意味 {_place(why.dense_rank)} ({why.cosine:.2f})  {terms}"
        )


def _place(rank: int | None) -> str:
    return "–" if rank is None else f"{rank}位"


def _search_batch(lines: BinaryIO, knowledge: OpenKnowledge, limit: int, explain: bool) -> None:
    """A line that cannot be searched gets an object too: the order of lines is the contract."""
    for number, line in enumerate(lines):
        # Bytes that are no UTF-8 become surrogates, which a search refuses with a reason.
        query = line.rstrip(b"\r\n").decode("utf-8", "surrogateescape")
        query = query.removeprefix("\ufeff") if number == 0 else query
        try:
            view = search_view(knowledge.search(query, limit, explain), knowledge)
        except QueryError as error:
            view = SearchView(
                query=query.encode("utf-8", "replace").decode(),
                answered=False,
                kind="none",
                confidence=0.0,
                needed=1.0,
                refused="unreadable",
                results=[],
                reading=ReadingView(cards=[], terms=[]),
                message=str(error),
            )
        sys.stdout.write(view.model_dump_json() + "\n")


@click.command()
@click.argument("query")
@kb_option
@click.option("--json", "as_json", is_flag=True, help="JSON で出力（/v1/answer と同じ形）")
@click.option("--explain", is_flag=True, help="なぜその答えかも示す")
def ask(query: str, kb: Path | None, as_json: bool, explain: bool) -> None:
    """質問に答える。答え、理由、出典、規則、状態、エンジンの判定を示す。

    Example: saitei ask "フラッシュバックで唱えた呪文が打ち消されたら？"
    """
    knowledge = open_knowledge(kb)
    answer = answer_view(knowledge.search(query, explain=explain), knowledge)
    if as_json:
        click.echo(answer.model_dump_json(indent=2))
        return
    for line in answer_lines(answer):
        click.echo(line)
    if explain:
        cards = "、".join(card.ja for card in answer.reading.cards) or "なし"
        click.echo(f"読み取ったカード: {cards}  用語: {'、'.join(answer.reading.terms) or 'なし'}")
        _echo_confidence(answer)
        for result in answer.results[:SHOWN_REASONS]:
            click.echo(f"{result.id}: {first_line(result)}")
            _echo_reason(result)


@click.command()
@kb_option
@click.option(
    "--queries",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=None,
    help="質問の JSONL（既定: 同梱の評価用の質問。隣の qrels.tsv が正解）",
)
@click.option("--split", default=None, help="dev か test だけを評価")
@click.option("--misses", is_flag=True, help="外した質問も出力")
def evaluate(kb: Path | None, queries: Path | None, split: str | None, misses: bool) -> None:
    """検索の質を測る: R@1、R@5、MRR、nDCG@10、断るべき質問を断った割合。

    Example: saitei evaluate --split dev
    """
    from saitei.service.evaluation import evaluation_report

    knowledge = open_knowledge(kb)
    with shown_progress("質問") as progress:
        lines = list(evaluation_report(knowledge, queries, split, misses, progress))
    for line in lines:
        click.echo(line)
