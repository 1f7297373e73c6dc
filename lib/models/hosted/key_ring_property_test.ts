import assert from "node:assert/strict";
import fc from "fast-check";
import type { LimitKind, RateLimit } from "./call_problem.ts";
import {
  answered,
  finished,
  keyEnded,
  type KeyRing,
  keyRing,
  limited,
  next,
  restsUntil,
  started,
} from "./key_ring.ts";

const LABELS = ["one", "two", "three"];
const MODELS = ["m", "n"];
const START = Date.UTC(2026, 5, 1, 23, 50);
const SETTINGS = { concurrencyPerKey: 2, longestWait: 120_000, backoff: 500, failuresInARow: 99 };

type HostReply =
  | { readonly kind: "answer" | "restricted" | "invalid" }
  | { readonly kind: "limited"; readonly rate: RateLimit; readonly tellsOrganisation: boolean };

const LIMITED: fc.Arbitrary<HostReply> = fc.record({
  kind: fc.constant("limited" as const),
  rate: fc.record({
    limit: fc.constantFrom<LimitKind>("tokens per minute", "requests per day", "rate limit"),
    waitSeconds: fc.option(fc.integer({ min: 1, max: 4000 }), { nil: undefined }),
  }),
  tellsOrganisation: fc.boolean(),
});
const REPLY: fc.Arbitrary<HostReply> = fc.oneof(
  { weight: 6, arbitrary: LIMITED },
  { weight: 9, arbitrary: fc.constant({ kind: "answer" as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ kind: "restricted" as const }, { kind: "invalid" as const }),
  },
);

type Command =
  | { readonly do: "ask"; readonly model: string }
  | { readonly do: "reply"; readonly which: number; readonly reply: HostReply }
  | { readonly do: "pass"; readonly seconds: number };

const COMMANDS: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant("ask" as const), model: fc.constantFrom(...MODELS) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("reply" as const), which: fc.nat(), reply: REPLY }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("pass" as const),
        seconds: fc.integer({ min: 0, max: 300 }),
      }),
    },
  ),
  { maxLength: 100, size: "max" },
);

/** Which organisation each key belongs to: the host knows, the ring must learn. */
const ORGANISATIONS = fc.tuple(...LABELS.map(() => fc.constantFrom("org_a", "org_b", "org_c")));

/** What a bystander notes: it shares no line with the ring. */
interface Notes {
  /** By key and model, the latest time that the host named. */
  readonly banned: Map<string, number>;
  readonly ended: Set<string>;
  /** Organisations that the host has told of. */
  readonly told: Map<string, string>;
  readonly inFlight: { label: string; model: string }[];
}

const using = (notes: Notes, label: string) =>
  notes.inFlight.filter((request) => request.label === label).length;

function apply(
  ring: KeyRing,
  notes: Notes,
  command: Command & { do: "reply" },
  now: number,
  organisations: readonly string[],
): KeyRing {
  const [request] = notes.inFlight.splice(command.which % notes.inFlight.length, 1);
  const { label, model } = request!;
  const { reply } = command;
  const rest = finished(ring, label);
  if (reply.kind === "answer") return answered(rest, label, model, now);
  const own = organisations[LABELS.indexOf(label)]!;
  if (reply.kind !== "limited") {
    const wholeOrganisation = reply.kind === "restricted";
    const shares = (other: string) =>
      notes.told.get(other) === own && notes.told.get(label) === own;
    for (const other of LABELS) {
      if (other === label || (wholeOrganisation && shares(other))) notes.ended.add(other);
    }
    return keyEnded(rest, label, { message: reply.kind, wholeOrganisation });
  }
  if (reply.tellsOrganisation) notes.told.set(label, own);
  const members = LABELS.filter((other) =>
    other === label || (notes.told.has(label) && notes.told.get(other) === notes.told.get(label))
  );
  const { waitSeconds } = reply.rate;
  // Where no time is named, any rest above 0 will do.
  const until = waitSeconds === undefined ? now + 1 : now + waitSeconds * 1000;
  for (const member of members) {
    const key = `${member} ${model}`;
    notes.banned.set(key, Math.max(until, notes.banned.get(key) ?? 0));
  }
  const organisation = reply.tellsOrganisation ? { organisation: own } : {};
  return limited(rest, label, model, { rate: reply.rate, ...organisation }, now);
}

function checkStep(ring: KeyRing, notes: Notes, model: string, now: number): string | undefined {
  const step = next(ring, model, now);
  const banned = (label: string) =>
    notes.ended.has(label) || (notes.banned.get(`${label} ${model}`) ?? 0) > now;
  if (step.kind === "use") {
    assert.ok(!banned(step.label), `${step.label} is used while it rests or is of no use`);
    assert.ok(using(notes, step.label) < SETTINGS.concurrencyPerKey, `${step.label} is overloaded`);
    return step.label;
  }
  if (step.kind === "busy") {
    assert.ok(notes.inFlight.length > 0, "waits for the end of a request that is not there");
  } else if (step.kind === "wait") {
    assert.ok(step.until > now, "waits for the past");
    assert.ok(step.until - now <= SETTINGS.longestWait, "waits longer than it may");
  } else assert.equal(step.kind, "exhausted");
  return undefined;
}

function assertTogether(ring: KeyRing, { told }: Notes, model: string, now: number): void {
  for (const [label, organisation] of told) {
    for (const [other, its] of told) {
      if (organisation !== its) continue;
      const [a, b] = [label, other].map((name) => ring.keys.find((key) => key.label === name)!);
      const rests = [a!, b!].map((key) => Math.max(now, restsUntil(key, model)));
      assert.equal(rests[0], rests[1], `${label} and ${other} of ${its}, ${model}`);
    }
  }
}

/** Plays commands on a ring, with a check after each. */
function play(
  commands: readonly Command[],
  organisations: readonly string[],
  check: (ring: KeyRing, notes: Notes, now: number) => void,
): void {
  let [ring, now] = [keyRing(LABELS, SETTINGS), START];
  const notes: Notes = { banned: new Map(), ended: new Set(), told: new Map(), inFlight: [] };
  for (const command of commands) {
    if (command.do === "pass") now += command.seconds * 1000;
    else if (command.do === "ask") {
      const label = checkStep(ring, notes, command.model, now);
      if (label === undefined) continue;
      ring = started(ring, label);
      notes.inFlight.push({ label, model: command.model });
    } else if (notes.inFlight.length > 0) ring = apply(ring, notes, command, now, organisations);
    check(ring, notes, now);
  }
}

Deno.test("next() uses no resting, ended or busy key, whatever host and clock do (property)", () => {
  fc.assert(
    fc.property(
      COMMANDS,
      ORGANISATIONS,
      (commands, organisations) =>
        play(commands, organisations, (ring, notes) => {
          for (const { label, inFlight } of ring.keys) assert.equal(inFlight, using(notes, label));
        }),
    ),
    { numRuns: 500 },
  );
});

Deno.test("limited() keeps the keys of a known organisation together (property)", () => {
  fc.assert(
    fc.property(
      COMMANDS,
      ORGANISATIONS,
      (commands, organisations) =>
        play(commands, organisations, (ring, notes, now) => {
          for (const model of MODELS) assertTogether(ring, notes, model, now);
        }),
    ),
    { numRuns: 300 },
  );
});

Deno.test("next() ends every call: it sends, waits in bounds, or gives up (property)", () => {
  const endless = fc.array(fc.oneof(LIMITED, REPLY), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(endless, ORGANISATIONS, (replies, organisations) => {
      let [ring, now, waited, turns] = [keyRing(LABELS, SETTINGS), START, 0, 0];
      const notes: Notes = { banned: new Map(), ended: new Set(), told: new Map(), inFlight: [] };
      for (let step = next(ring, "m", now);; step = next(ring, "m", now)) {
        assert.ok(turns++ < 2000, "goes on for ever");
        if (step.kind === "wait") {
          assert.ok(step.until > now, "spins");
          waited += step.until - now;
          now = step.until;
        } else if (step.kind === "use") {
          const reply = replies[turns % replies.length]!;
          ring = started(ring, step.label);
          notes.inFlight.push({ label: step.label, model: "m" });
          ring = apply(ring, notes, { do: "reply", which: 0, reply }, now, organisations);
          if (reply.kind === "answer") return;
        } else {
          assert.equal(step.kind, "exhausted");
          break;
        }
      }
      assert.ok(waited <= SETTINGS.longestWait, `${waited} ms`);
    }),
    { numRuns: 500 },
  );
});
