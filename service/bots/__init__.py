"""Doors of others' programs: Discord, LINE, and language models by MCP."""
