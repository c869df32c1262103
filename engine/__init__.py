"""Scenarios -> verdicts on a rules engine. Public names are listed in docs/scenarios.md."""
