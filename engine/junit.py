"""A run as JUnit XML, for continuous integration."""

import xml.etree.ElementTree as ET
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from saitei.engine.faults import Fault, explains
from saitei.engine.report import side_by_side
from saitei.engine.scenario import Scenario
from saitei.engine.verdicts import Run, Verdict

_TAG = {
    "contradicted": "failure",
    "inconclusive": "failure",
    "error": "error",
    "unsupported": "skipped",
}


def write_junit(
    run: Run,
    scenarios: Mapping[str, Scenario],
    faults: Sequence[Fault],
    path: Path,
    *,
    excused: Collection[str] = (),
) -> None:
    """Write one test suite, a test case for each verdict. ``scenarios`` by id.

    Properties: rulings, rules, engine, engine version, outcome, cause, text, known fault. The
    contradictions whose scenario is in ``excused`` are skipped tests, not failures.
    """
    suite = ET.Element("testsuite", name=f"saitei {run.engine} {run.version}")
    totals = dict.fromkeys(("failure", "error", "skipped"), 0)
    seconds = 0.0
    for verdict in run.verdicts:
        scenario = scenarios[verdict.scenario]
        case = ET.SubElement(
            suite,
            "testcase",
            classname=scenario.file.removesuffix(".scenario.yaml").replace("/", "."),
            name=scenario.id,
            file=scenario.file,
            line=str(scenario.line),
            time=f"{verdict.seconds:.3f}",
        )
        seconds += verdict.seconds
        properties = ET.SubElement(case, "properties")
        for name, value in _properties(run, verdict, scenario, faults):
            ET.SubElement(properties, "property", name=name, value=_clean(value))
        tag = "skipped" if scenario.id in excused else _TAG.get(verdict.outcome)
        if tag is not None:
            totals[tag] += 1
            words = f"{verdict.outcome}: {verdict.reason}"
            body = ET.SubElement(case, tag, message=_clean(words), type=verdict.outcome)
            body.text = _clean("\n".join(side_by_side(verdict, scenario)))
    suite.set("tests", str(len(run.verdicts)))
    suite.set("failures", str(totals["failure"]))
    suite.set("errors", str(totals["error"]))
    suite.set("skipped", str(totals["skipped"]))
    suite.set("time", f"{seconds:.3f}")
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    path.write_bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")


def _properties(
    run: Run, verdict: Verdict, scenario: Scenario, faults: Sequence[Fault]
) -> list[tuple[str, str]]:
    found = [
        ("rulings", " ".join(verdict.rulings)),
        ("rules", " ".join(scenario.rules)),
        ("engine", run.engine),
        ("engine version", run.version),
        ("outcome", verdict.outcome),
        ("text", verdict.text),
    ]
    if verdict.cause is not None:
        found.append(("cause", verdict.cause))
    fault = explains(faults, scenario.id, run.engine, run.version)
    if verdict.outcome == "contradicted" and fault is not None:
        found.append(("known fault", f"{fault.id}: {fault.summary}"))
    return found


def _clean(text: str) -> str:
    """Without the control characters XML cannot hold."""
    return "".join(char for char in text if char in "\n\t" or char >= " ")
