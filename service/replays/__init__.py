"""Replays: scenarios played on an engine, kept as pictures, and told in words."""
