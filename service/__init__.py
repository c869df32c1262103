"""Answers to people: HTTP, web page, command line; the one place where all packages meet."""
