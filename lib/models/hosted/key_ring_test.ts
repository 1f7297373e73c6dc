import assert from "node:assert/strict";
import { type KeyRing, keyRing, next } from "./key_ring.ts";

import {
  answered,
  failed,
  finished,
  keyEnded,
  limited,
  modelEnded,
  resting,
  started,
} from "./key_ring_changes.ts";
import { nextMidnight } from "./later_rest.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const SETTINGS = { concurrencyPerKey: 2, longestWait: 60_000, backoff: 1000, failuresInARow: 3 };
const TPM = (waitSeconds?: number) => ({ limit: "tokens per minute", waitSeconds }) as const;
const TPD = (waitSeconds?: number) => ({ limit: "tokens per day", waitSeconds }) as const;

const ringOf = (...labels: string[]): KeyRing => keyRing(labels, SETTINGS);

Deno.test("next() takes turns among free keys, up to their concurrency", () => {
  let ring = ringOf("one", "two");
  const used: string[] = [];
  for (let step = next(ring, "m", NOW); step.kind === "use"; step = next(ring, "m", NOW)) {
    used.push(step.label);
    ring = started(ring, step.label);
  }
  assert.deepEqual(used, ["one", "two", "one", "two"]);
  assert.deepEqual(next(ring, "m", NOW), { kind: "busy" });
  assert.deepEqual(next(finished(ring, "two"), "m", NOW), { kind: "use", label: "two" });
});

Deno.test("limited() sends to the next key, then to wait for the first to return", () => {
  const one = limited(ringOf("one", "two"), "one", "m", { rate: TPM(43) }, NOW);
  assert.deepEqual(next(one, "m", NOW), { kind: "use", label: "two" });
  assert.deepEqual(next(one, "other model", NOW), { kind: "use", label: "one" });
  const both = limited(one, "two", "m", { rate: TPM(50) }, NOW);
  const until = NOW + 43_000;
  const wait = { kind: "wait", until, label: "one", limit: "tokens per minute" };
  assert.deepEqual(next(both, "m", NOW), wait);
  assert.deepEqual(next(both, "m", until), { kind: "use", label: "one" });
});

Deno.test("limited() never waits for a daily quota: each key's return is named", () => {
  const one = limited(ringOf("one", "two"), "one", "m", { rate: TPD(578.016) }, NOW);
  const both = limited(one, "two", "m", { rate: TPD() }, NOW);
  assert.deepEqual(next(both, "m", NOW), {
    kind: "exhausted",
    returns: [
      { label: "one", until: NOW + 578_016, limit: "tokens per day" },
      { label: "two", until: Date.UTC(2026, 5, 2), limit: "tokens per day" },
    ],
  });
  assert.equal(nextMidnight(Date.UTC(2026, 5, 2)), Date.UTC(2026, 5, 3));
});

Deno.test("limited() doubles the rest where no time is named, once for requests refused together", () => {
  const rests: number[] = [];
  let [ring, now] = [keyRing(["one"], { ...SETTINGS, longestWait: 1e9 }), NOW];
  for (let i = 0; i < 9; i++) {
    ring = limited(
      limited(ring, "one", "m", { rate: TPM() }, now),
      "one",
      "m",
      { rate: TPM() },
      now,
    );
    const step = next(ring, "m", now);
    assert.ok(step.kind === "wait");
    rests.push((step.until - now) / 1000);
    now = step.until;
  }
  assert.deepEqual(rests, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
  const fresh = limited(answered(ring, "one", "m", now), "one", "m", { rate: TPM() }, now);
  assert.deepEqual(next(fresh, "m", now), {
    kind: "wait",
    until: now + 1000,
    label: "one",
    limit: "tokens per minute",
  });
});

Deno.test("next() gives up a model that was refused for the longest wait without an answer", () => {
  let [ring, now] = [ringOf("one"), NOW];
  const refuse = () => ring = limited(ring, "one", "m", { rate: TPM(25) }, now);
  refuse();
  now += 25_000;
  refuse();
  assert.equal(next(ring, "m", now).kind, "wait");
  now += 25_000;
  assert.equal(next(answered(ring, "one", "m", now), "m", now).kind, "use");
  refuse();
  assert.equal(next(ring, "m", now).kind, "exhausted");
  assert.equal(next(ring, "m", now + 25_000).kind, "use");
});

Deno.test("limited() rests all keys of an organisation, as soon as they are known to share it", () => {
  const organisation = "org_a";
  let ring = ringOf("one", "two", "three");
  ring = limited(ring, "one", "m", { rate: TPM(30), organisation }, NOW);
  assert.deepEqual(next(ring, "m", NOW), { kind: "use", label: "two" });
  ring = limited(ring, "two", "m", { rate: TPM(10), organisation }, NOW);
  const two = ring.keys[1]?.cooling.get("m");
  assert.equal(two?.until, NOW + 30_000);
  ring = limited(ring, "two", "other", { rate: TPM(20), organisation }, NOW);
  assert.equal(ring.keys[0]?.cooling.get("other")?.until, NOW + 20_000);
  assert.deepEqual(next(ring, "m", NOW), { kind: "use", label: "three" });
});

Deno.test("keyEnded() ends a key, or all known keys of its organisation", () => {
  const organisation = "org_a";
  const known = limited(
    limited(ringOf("one", "two", "three"), "one", "x", { rate: TPM(1), organisation }, NOW),
    "two",
    "x",
    { rate: TPM(1), organisation },
    NOW,
  );
  const invalid = keyEnded(known, "one", { message: "refused", wholeOrganisation: false });
  assert.deepEqual(invalid.keys.map(({ ended }) => ended), ["refused", undefined, undefined]);
  const restricted = keyEnded(known, "one", { message: "restricted", wholeOrganisation: true });
  assert.deepEqual(next(restricted, "m", NOW), { kind: "use", label: "three" });
  const all = keyEnded(restricted, "three", { message: "refused", wholeOrganisation: true });
  assert.deepEqual(next(all, "m", NOW), {
    kind: "exhausted",
    returns: [
      { label: "one", ended: "restricted" },
      { label: "two", ended: "restricted" },
      { label: "three", ended: "refused" },
    ],
  });
});

Deno.test("modelEnded() and failed() end one model for all keys, and no other", () => {
  const withdrawn = modelEnded(ringOf("one"), "m", "withdrawn");
  assert.deepEqual(next(withdrawn, "m", NOW), { kind: "model ended", message: "withdrawn" });
  assert.equal(next(answered(withdrawn, "one", "m", NOW), "m", NOW).kind, "model ended");
  assert.equal(next(withdrawn, "n", NOW).kind, "use");
  const twice = failed(failed(ringOf("one"), "m", "no network"), "m", "no network");
  assert.equal(next(failed(answered(twice, "one", "m", NOW), "m", "?"), "m", NOW).kind, "use");
  assert.deepEqual(next(failed(twice, "m", "no network"), "m", NOW), {
    kind: "model ended",
    message: "3 calls in a row failed, the last because no network",
  });
});

Deno.test("limited() rests longer than the host names, once that proved too short", () => {
  const rests: number[] = [];
  let [ring, now] = [keyRing(["one"], { ...SETTINGS, longestWait: 1e9 }), NOW];
  for (const waitSeconds of [0.0075, 0.0075, 0.0075, 30, 0.0075]) {
    ring = limited(ring, "one", "m", { rate: TPM(waitSeconds) }, now);
    const step = next(ring, "m", now);
    assert.ok(step.kind === "wait");
    rests.push(step.until - now);
    now = step.until;
  }
  assert.deepEqual(rests, [7.5, 1000, 2000, 30_000, 8000]);
});

Deno.test("next() names the return of a key rather than wait for hours when the clock was set back", () => {
  const ring = limited(ringOf("one"), "one", "m", { rate: TPM(43) }, NOW);
  assert.equal(next(ring, "m", NOW - 10_000).kind, "wait");
  assert.equal(next(ring, "m", NOW - 3_600_000).kind, "exhausted");
});

Deno.test("resting() takes over what an earlier process learned", () => {
  const until = NOW + 50_000;
  const rest = { label: "one", model: "m", until, limit: "tokens per day" } as const;
  const ring = resting(ringOf("one"), [rest], "usage.json");
  assert.equal(next(ring, "m", NOW).kind, "wait");
  assert.deepEqual(next(ring, "m", NOW - 20_000), {
    kind: "exhausted",
    returns: [{ label: "one", until, limit: "tokens per day", rememberedIn: "usage.json" }],
  });
  assert.equal(next(ring, "m", until).kind, "use");
});
