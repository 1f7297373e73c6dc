import assert from "node:assert/strict";
import type { AbstentionQuery } from "./query.ts";
import { madeAnswer } from "./testdata/answers.ts";
import { abstentionRates, ratesCsv, readRates } from "./rates.ts";

const query = (id: string, exists: boolean): AbstentionQuery => ({
  id,
  kind: "lake",
  exists,
  name: "Lake Hapaijar",
  question: "Where is Lake Hapaijar?",
});
const QUERIES = [query("a", false), query("b", false), query("c", true)];

const RATES = abstentionRates(
  [
    madeAnswer({ query_id: "a", label: "abstains", probability: 0.9 }),
    madeAnswer({ query_id: "b", label: "answers", probability: 0.7 }),
    madeAnswer({ query_id: "c", probability: 0.2 }),
  ],
  QUERIES,
);
const rate = (readBy: string, name: string, kind = "all") =>
  RATES.find((row) => row.read_by === readBy && row.rate === name && row.kind === kind)!;

Deno.test("Requirement 20.2: the rate is that of failed abstentions among queries about nothing", () => {
  assert.deepEqual([rate("hand", "false acceptance").value, rate("hand", "false acceptance").n], [
    0.5,
    2,
  ]);
  assert.equal(rate("classifier", "false acceptance").value, 0);
  assert.equal(rate("classifier", "over-refusal").value, 0);
});

Deno.test("abstentionRates() says why there is no rate where nobody has read the answers", () => {
  const unread = rate("hand", "over-refusal");
  assert.deepEqual([unread.value, unread.n], ["", 0]);
  assert.notEqual(unread.reason, "");
  assert.equal(rate("hand", "false acceptance", "river").value, "");
});

Deno.test("readRates() reads what ratesCsv() writes", () => {
  const path = Deno.makeTempFileSync();
  Deno.writeTextFileSync(path, ratesCsv(RATES));
  assert.deepEqual(readRates(path), RATES);
  Deno.removeSync(path);
});
