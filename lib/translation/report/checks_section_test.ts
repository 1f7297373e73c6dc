import assert from "node:assert/strict";
import {
  repeatedChecksCsv,
  repeatedChecksSentence,
  repeatedChecksTable,
} from "./checks_section.ts";

const CHECKS = [{
  ...{ rater: "careful", unread: 0, sessions: 40, checks: 120, passed: 120 },
  ...{ allPassed: 40, allRead: 1 },
}, {
  ...{ rater: "careless", unread: 0.35, sessions: 40, checks: 120, passed: 104 },
  ...{ allPassed: 25, allRead: 0.274625 },
}];

Deno.test("repeatedChecksTable() and repeatedChecksCsv() set what is unread beside what is noticed", () => {
  const line = "| careless | 35 | 104 of 120 | 25 of 40 | 27 |";
  assert.ok(repeatedChecksTable(CHECKS).includes(line));
  assert.ok(repeatedChecksCsv(CHECKS).endsWith("careless,0.35,40,120,104,25,0.274625\n"));
});

Deno.test("repeatedChecksSentence() speaks of raters who do not read all", () => {
  assert.equal(
    repeatedChecksSentence(CHECKS),
    "careless, who leaves 35 % unread, passes every attention check in 25 of 40 sessions.",
  );
});
