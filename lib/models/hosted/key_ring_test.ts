import assert from "node:assert/strict";
import fc from "fast-check";
import { KEYLESS } from "./api_keys.ts";
import type { LimitKind } from "./call_problem.ts";
import { formatReturn, formatWait, KeyRing, unavailable } from "./key_ring.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const SETTINGS = {
  concurrencyPerKey: 2,
  longestWaitSeconds: 60,
  backoffSeconds: 1,
  failuresInARow: 3,
};
const TPM = (waitSeconds?: number) =>
  ({ kind: "limited", rate: { limit: "tokens per minute", waitSeconds } }) as const;
const TPD = (waitSeconds?: number) =>
  ({ kind: "limited", rate: { limit: "tokens per day", waitSeconds } }) as const;

function waitOf(ring: KeyRing, now: number): number {
  const step = ring.next("m", now);
  assert.ok(step.kind === "wait", step.kind);
  return step.until - now;
}

Deno.test("next() takes turns among free keys, up to their concurrency", () => {
  const ring = new KeyRing(["one", "two"], SETTINGS);
  const used: string[] = [];
  for (let step = ring.next("m", NOW); step.kind === "use"; step = ring.next("m", NOW)) {
    used.push(step.label);
    ring.started(step.label);
  }
  assert.deepEqual(used, ["one", "two", "one", "two"]);
  assert.deepEqual(ring.next("m", NOW), { kind: "busy" });
  ring.settle("two", "m", { kind: "aborted" }, NOW);
  assert.deepEqual(ring.next("m", NOW), { kind: "use", label: "two" });
});

Deno.test("limited() never waits for a daily quota: each key's return is named", () => {
  const ring = new KeyRing(["one", "two"], SETTINGS);
  ring.settle("one", "m", TPD(578.016), NOW);
  ring.settle("two", "m", TPD(), NOW);
  const rest = { limit: "tokens per day", strikes: 1 };
  assert.deepEqual(ring.next("m", NOW), {
    kind: "exhausted",
    returns: [
      { label: "one", until: NOW + 578_016, ...rest },
      { label: "two", until: Date.UTC(2026, 5, 2), ...rest },
    ],
  });
});

Deno.test("limited() doubles the rest where no time is named or it proved too short, once for requests refused together", () => {
  const rests = (named: readonly (number | undefined)[], ring: KeyRing, now: number) =>
    named.map((waitSeconds) => {
      for (let together = 0; together < 2; together++) {
        ring.settle("one", "m", TPM(waitSeconds), now);
      }
      const wait = waitOf(ring, now);
      now += wait;
      return wait;
    });
  const ringOf = () => new KeyRing(["one"], { ...SETTINGS, longestWaitSeconds: 1e6 });
  const ring = ringOf();
  const seconds = [1, 2, 4, 8, 16, 32, 60, 60];
  assert.deepEqual(rests(Array(8).fill(undefined), ring, NOW), seconds.map((s) => s * 1000));
  ring.settle("one", "m", { kind: "done" }, NOW + 1e6);
  assert.deepEqual(rests([undefined], ring, NOW + 1e6), [1000]);
  const named = [0.0075, 0.0075, 0.0075, 30, 0.0075];
  assert.deepEqual(rests(named, ringOf(), NOW), [7.5, 1000, 2000, 30_000, 8000]);
});

Deno.test("formatReturn() and formatWait() give local time and UTC, never too early, and no key where there is none", () => {
  const until = Date.UTC(2026, 5, 2, 0, 0, 4, 200);
  assert.match(formatReturn(until), /^2026-06-0\d \d\d:\d\d:05 here, 2026-06-02 00:00:05 UTC$/);
  const waiting = { model: "m", limit: "requests per minute", seconds: 2.1 };
  assert.equal(
    formatWait({ ...waiting, key: KEYLESS }),
    "waiting 0:03 for m (requests per minute)",
  );
  assert.match(formatWait({ ...waiting, key: "K_1" }), /^waiting 0:03 for K_1, m /);
});

Deno.test("unavailable() names when each key returns, and what to do", () => {
  const rest = { until: NOW, limit: "tokens per day", strikes: 0 } as const;
  const ended = { label: "K_2", ended: "Groq refuses the key" };
  const told = (...returns: ({ label: string } & (typeof rest | { ended: string }))[]) =>
    unavailable("m", { kind: "exhausted", returns }).message;
  assert.match(
    told({ label: "K_1", ...rest }, ended),
    /^Cannot ask m: no available keys remain: K_1 returns .* here, 2026-06-01 12:00:00 UTC \(tokens per day\); K_2 does not return: Groq refuses the key\. .*kept: run the same command again then, or add a key/,
  );
  const remembered = { ...rest, rememberedIn: "usage.json" };
  assert.match(told({ label: "K_1", ...remembered }), /as usage\.json remembers: delete it where/);
  assert.match(told(ended), /put a valid key in \.env and run the same command again/);
  assert.match(
    told({ label: KEYLESS, ...rest }),
    /^Cannot ask m: its server takes questions again/,
  );
  const closed = told({ label: KEYLESS, ended: "its server asks for a key" });
  assert.doesNotMatch(closed, /no key|organisation|valid/);
  const gone = { kind: "model ended", message: "it is withdrawn" } as const;
  assert.equal(unavailable("m", gone).message, "Cannot ask m: it is withdrawn.");
});

const LABELS = ["one", "two", "three"];
const MODELS = ["m", "n"];
const START = Date.UTC(2026, 5, 1, 23, 50);
const PLAYED = { ...SETTINGS, longestWaitSeconds: 120, backoffSeconds: 0.5 };

const LIMITED = fc.record({
  kind: fc.constant("limited" as const),
  rate: fc.record({
    limit: fc.constantFrom<LimitKind>("tokens per minute", "requests per day", "rate limit"),
    waitSeconds: fc.option(fc.integer({ min: 1, max: 4000 }), { nil: undefined }),
  }),
  tellsOrganisation: fc.boolean(),
});
const ended = fc.constantFrom({ kind: "restricted" as const }, { kind: "invalid" as const });
const REPLY = fc.oneof(
  { weight: 6, arbitrary: LIMITED },
  { weight: 9, arbitrary: fc.constant({ kind: "answer" as const }) },
  { weight: 1, arbitrary: ended },
);
const COMMANDS = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ ask: fc.constantFrom(...MODELS) }) },
    { weight: 4, arbitrary: fc.record({ which: fc.nat(), reply: REPLY }) },
    { weight: 1, arbitrary: fc.record({ pass: fc.integer({ min: 0, max: 300 }) }) },
  ),
  { maxLength: 100, size: "max" },
);
/** Which organisation each key belongs to: the host knows, the ring must learn. */
const ORGANISATIONS = fc.tuple(...LABELS.map(() => fc.constantFrom("org_a", "org_b", "org_c")));

type Reply = typeof REPLY extends fc.Arbitrary<infer T> ? T : never;

/** A host and a bystander that takes notes: it shares no line with the ring. */
class Bystander {
  readonly ring = new KeyRing(LABELS, PLAYED);
  now = START;
  readonly inFlight: { label: string; model: string }[] = [];
  readonly #banned = new Map<string, number>();
  readonly #ended = new Set<string>();
  readonly #told = new Map<string, string>();

  constructor(private readonly organisations: readonly string[]) {}

  using = (label: string) => this.inFlight.filter((request) => request.label === label).length;

  ask(model: string) {
    const { ring, now } = this;
    const step = ring.next(model, now);
    if (step.kind === "use") {
      const { label } = step;
      const isBanned = (this.#banned.get(`${label} ${model}`) ?? 0) > now;
      assert.ok(!this.#ended.has(label) && !isBanned, `${label} rests or is of no use`);
      assert.ok(this.using(label) < PLAYED.concurrencyPerKey, `${label} is overloaded`);
      ring.started(label);
      this.inFlight.push({ label, model });
    } else if (step.kind === "busy") {
      assert.ok(this.inFlight.length > 0, "waits for the end of a request that is not there");
    } else if (step.kind === "wait") {
      assert.ok(
        step.until > now && step.until - now <= PLAYED.longestWaitSeconds * 1000,
        "waits too long",
      );
    } else assert.equal(step.kind, "exhausted");
    return step;
  }

  reply(which: number, reply: Reply): void {
    const { ring, now } = this;
    if (this.inFlight.length === 0) return;
    const [{ label, model }] = this.inFlight.splice(which % this.inFlight.length, 1) as [
      { label: string; model: string },
    ];
    const own = this.organisations[LABELS.indexOf(label)]!;
    if (reply.kind === "answer") return ring.settle(label, model, { kind: "done" }, now);
    if (reply.kind === "limited" && reply.tellsOrganisation) this.#told.set(label, own);
    const isKnown = this.#told.get(label) === own;
    const members = LABELS.filter((it) => it === label || (isKnown && this.#told.get(it) === own));
    if (reply.kind === "limited") {
      // Where no time is named, any rest above 0 will do.
      const until = now + (reply.rate.waitSeconds ?? 0.001) * 1000;
      for (const member of members) {
        const key = `${member} ${model}`;
        this.#banned.set(key, Math.max(until, this.#banned.get(key) ?? 0));
      }
      const organisation = reply.tellsOrganisation ? { organisation: own } : {};
      const { kind, rate } = reply;
      return ring.settle(label, model, { kind, rate, ...organisation }, now);
    }
    const wholeOrganisation = reply.kind === "restricted";
    for (const member of wholeOrganisation ? members : [label]) this.#ended.add(member);
    const message = reply.kind;
    ring.settle(label, model, { kind: "key", message, wholeOrganisation }, now);
  }

  assertTogether(): void {
    const until = (label: string, model: string) =>
      Math.max(
        this.now,
        this.ring.keys.find((key) => key.label === label)!.rests.get(model)?.until ?? 0,
      );
    for (const [label, organisation] of this.#told) {
      for (const [other, its] of this.#told) {
        if (organisation !== its) continue;
        for (const model of MODELS) assert.equal(until(label, model), until(other, model));
      }
    }
  }
}

Deno.test("next() uses no resting, ended or busy key, and an organisation's keys rest together, whatever host and clock do (property)", () => {
  fc.assert(
    fc.property(COMMANDS, ORGANISATIONS, (commands, organisations) => {
      const by = new Bystander(organisations);
      for (const command of commands) {
        if ("pass" in command) by.now += command.pass * 1000;
        else if ("ask" in command) by.ask(command.ask);
        else by.reply(command.which, command.reply);
        for (const { label, inFlight } of by.ring.keys) assert.equal(inFlight, by.using(label));
        by.assertTogether();
      }
    }),
    { numRuns: 500 },
  );
});
