"""The JSON Schema of scenario files: `docs/scenario.schema.json`, made from the models.

``python -m saitei.engine.schema FILE`` writes it.
"""

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from saitei.engine.scenario import ScenarioFile


def scenario_schema() -> dict[str, Any]:
    """The schema of a scenario file (a list of scenarios), JSON Schema 2020-12."""
    made = TypeAdapter(list[ScenarioFile]).json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Saitei scenarios",
        **made,
    }


def schema_text() -> str:
    """The schema as it stands in the file."""
    return json.dumps(scenario_schema(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(schema_text(), "utf-8")
