import assert from "node:assert/strict";
import { components } from "../evaluation/testdata/stand_ins.ts";
import { configurationOf } from "../evaluation/configuration_of.ts";
import { diagnosis, failureRecord } from "./diagnosis.ts";

const place = { at: new Date("2026-11-22T12:00:00Z"), request: "r1", stage: "judging" };

Deno.test("Requirement 9.4: a diagnosis says what, where and with what, without keys and addresses", () => {
  const error = new Error("Bearer abc123 refused at 10.0.0.1:80\nsecond line");
  const text = JSON.stringify(
    diagnosis(error, place, configurationOf(components()), { deno: "2.9.6" }),
  );
  for (const part of ["judging", "r1", "literal", "2.9.6", "diagnosis_test.ts"]) {
    assert.ok(text.includes(part), part);
  }
  assert.doesNotMatch(text, /abc123|10\.0\.0\.1/);
});

Deno.test("failureRecord() bears whatever was thrown", () => {
  assert.equal(failureRecord("words", place).message, "words");
  assert.equal(failureRecord(undefined, place).stack, "");
});
