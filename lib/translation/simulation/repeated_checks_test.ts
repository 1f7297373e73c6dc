import assert from "node:assert/strict";
import type { AttentionCheck } from "../analysis/results.ts";
import { DEFAULT_RUN_CONFIG as config } from "../run_config.ts";
import { type Persona, PERSONAS } from "./persona.ts";
import { repeatedChecks } from "./repeated_checks.ts";
import type { SimulatedSession } from "./repeated_sessions.ts";
import { UNKNOWN } from "./testdata/reliability.ts";

const HALF: Persona = { ...PERSONAS[0]!, inattention: 0.5 };

/** A session with these checks, passed or not. */
function session(persona: Persona, passed: readonly boolean[]): SimulatedSession {
  const checks = passed.map((passed): AttentionCheck => ({
    ...{ itemId: 2, originalItemId: 1, system: "s", spoiledBy: "words shuffled" },
    ...{ originalDa: 80, spoiledDa: 50, spoiledBucket: "ok", passed },
  }));
  const run = { rater: persona.name, config, items: 2, leftOut: [], ratings: [] };
  const attention = { ...UNKNOWN.attention, checks };
  return { runs: [{ persona, run, reliability: { ...UNKNOWN, attention } }], effects: [] };
}

Deno.test("repeatedChecks() counts checks, and sessions in which none says anything", () => {
  const sessions = [[true, true], [true, false], [false]].map((own) => session(HALF, own));
  assert.deepEqual(repeatedChecks(sessions), [{
    ...{ rater: HALF.name, unread: 0.5, sessions: 3, checks: 5 },
    ...{ passed: 3, allPassed: 1 },
    // 1/4, 1/4 and 1/2.
    allRead: 1 / 3,
  }]);
});

Deno.test("repeatedChecks() leaves out sessions without checks", () => {
  assert.deepEqual(repeatedChecks([session(HALF, [])]), []);
});
