// A bot in the terminal: each line is a question. Put your chat's own loop in place of the last one.
//
//     node examples/bot.mjs http://localhost:8000
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

if (process.argv.length !== 3) {
  console.error("usage: node bot.mjs http://localhost:8000");
  process.exit(1);
}
const service = process.argv[2].replace(/\/$/, "");

/** The answer as one message of at most 2,000 characters, or why there is none. */
async function ask(question) {
  const query = new URLSearchParams({ q: question, format: "chat" });
  const answer = await fetch(`${service}/v1/answer?${query}`, {
    signal: AbortSignal.timeout(15_000),
  });
  const body = await answer.json();
  if (answer.ok) return body.text;
  if (body.code === "rate_limited") {
    await sleep(1000 * Number(answer.headers.get("Retry-After")));
    return ask(question);
  }
  return body.detail;
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim()) console.log(await ask(line.trim()));
}
