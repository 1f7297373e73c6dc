import assert from "node:assert/strict";
import { KEYLESS } from "./api_keys.ts";
import type { KeyReturn } from "./key_ring.ts";
import { formatReturn, formatWait, unavailableMessage } from "./key_ring_report.ts";

const UNTIL = Date.UTC(2026, 5, 2, 0, 0, 4, 200);

Deno.test("formatReturn() gives local time and UTC, never too early", () => {
  const local = new Date(UNTIL + 800);
  const two = (n: number) => String(n).padStart(2, "0");
  const here = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())} ` +
    `${two(local.getHours())}:00:05`.replace(":00:", `:${two(local.getMinutes())}:`);
  assert.equal(formatReturn(UNTIL), `${here} here, 2026-06-02 00:00:05 UTC`);
});

Deno.test("formatWait() counts down", () => {
  const status = {
    model: "openai/gpt-oss-120b",
    key: "GROQ_API_KEY_1",
    limit: "tokens per minute",
    until: new Date(UNTIL),
    seconds: 42.3,
  };
  assert.equal(
    formatWait(status),
    "waiting 0:43 for GROQ_API_KEY_1, openai/gpt-oss-120b (tokens per minute)",
  );
});

Deno.test("formatWait() and unavailableMessage() speak of no key where a server has none", () => {
  const rest = { until: UNTIL, limit: "requests per minute" } as const;
  const until = new Date(UNTIL);
  const waiting = formatWait({ model: "m", key: KEYLESS, limit: rest.limit, until, seconds: 3 });
  assert.equal(waiting, "waiting 0:03 for m (requests per minute)");
  const told = (key: KeyReturn) => unavailableMessage("m", { kind: "exhausted", returns: [key] });
  const busy = told({ label: KEYLESS, ...rest });
  assert.match(
    busy,
    /^Cannot ask m: its server takes questions again .* \(requests per minute\)\./,
  );
  const closed = told({ label: KEYLESS, ended: "its server asks for a key" });
  for (const message of [busy, closed]) assert.doesNotMatch(message, /no key|organisation|valid/);
});

Deno.test("unavailableMessage() names when each key returns, and what to do", () => {
  const message = unavailableMessage("m", {
    kind: "exhausted",
    returns: [
      { label: "GROQ_API_KEY_1", until: UNTIL, limit: "tokens per day" },
      { label: "GROQ_API_KEY_2", ended: "Groq refuses the key" },
    ],
  });
  assert.match(
    message,
    /^Cannot ask m: no available keys remain: GROQ_API_KEY_1 returns .* here, 2026-06-02 00:00:05 UTC \(tokens per day\); GROQ_API_KEY_2 does not return: Groq refuses the key\./,
  );
  assert.match(message, /kept: run the same command again then, or add a key/);
  const remembered = unavailableMessage("m", {
    kind: "exhausted",
    returns: [{ label: "one", until: UNTIL, limit: "tokens per day", rememberedIn: "usage.json" }],
  });
  assert.match(remembered, /\(tokens per day, as usage\.json remembers: delete it where/);
  const none = unavailableMessage("m", {
    kind: "exhausted",
    returns: [{ label: "GROQ_API_KEY_1", ended: "Groq refuses the key" }],
  });
  assert.match(none, /put a valid key in \.env and run the same command again/);
  const ended = { kind: "model ended", message: "it is withdrawn" } as const;
  assert.equal(unavailableMessage("m", ended), "Cannot ask m: it is withdrawn.");
});
