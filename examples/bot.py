"""A bot in the terminal: each line is a question. Put your chat's own loop in place of `main`.

python examples/bot.py http://localhost:8000
"""

import json
import sys
import time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen


def ask(service: str, question: str) -> str:
    """The answer as one message of at most 2,000 characters, or why there is none."""
    query = urlencode({"q": question, "format": "chat"})
    try:
        with urlopen(f"{service}/v1/answer?{query}", timeout=15) as answer:
            return json.load(answer)["text"]
    except HTTPError as error:
        problem = json.load(error)
        if problem["code"] == "rate_limited":
            time.sleep(int(error.headers["Retry-After"]))
            return ask(service, question)
        return problem["detail"]


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python bot.py http://localhost:8000")
    for line in sys.stdin:
        if line.strip():
            print(ask(sys.argv[1].rstrip("/"), line.strip()), flush=True)


if __name__ == "__main__":
    main()
