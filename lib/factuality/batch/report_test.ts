import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import {
  assertSelfContained,
  documentOf,
  emptyEvaluation,
  HOSTILE,
} from "../report/testdata/sample.ts";
import { sampleEvaluation, texts } from "../report/testdata/sample.ts";
import type { Evaluation } from "../types.ts";
import { batchMarkdown, batchPage } from "./report.ts";
import { batchSummary } from "./summary.ts";

const by = (evaluation: Evaluation, id: string, system?: string): Evaluation => ({
  ...evaluation,
  request: { ...evaluation.request, id, ...system && { system, query: `q ${HOSTILE}` } },
});
const SAMPLE = await sampleEvaluation();
const BATCH = [
  by(SAMPLE, "first", "one"),
  by(SAMPLE, HOSTILE, "two"),
  by(await emptyEvaluation(), "none"),
];
const SUMMARY = batchSummary(BATCH, { requests: 4, passedOver: 0 }, randomSource(1));

Deno.test("Requirement 8.7: the batch page has a section a text, every link leads to one place, and others' words are text", () => {
  const document = documentOf(batchPage(BATCH, SUMMARY));
  assert.equal(document.querySelectorAll("details.text").length, 3);
  assertSelfContained(document);
  assert.equal(document.querySelectorAll("script").length, 1);
  const running = document.querySelector("#text-2 .running")!;
  for (const tag of running.querySelectorAll(".tag")) tag.remove();
  assert.equal(running.textContent, SAMPLE.request.candidate);
  const [found] = texts(document, ".result");
  // Two texts of five claims that can be checked each.
  const { supported, refuted } = SUMMARY.claims;
  assert.ok(found!.includes(`finds ${supported} supported, ${refuted} refuted`), found);
  const systems = SUMMARY.systems.map(({ system, texts }) => [system, texts]);
  assert.deepEqual(systems, [["one", 1], ["two", 1]]);
});

Deno.test("a batch that is too large for one file has the worst texts in it, and says where the others are", () => {
  const mild = { ...by(SAMPLE, "mild"), unsupported: [] };
  const [one] = BATCH as [Evaluation];
  const room = batchPage([one], SUMMARY).length - batchPage([one], SUMMARY, 0).length;
  const document = documentOf(batchPage([mild, one], SUMMARY, 1.5 * room));
  const titles = texts(document, "details.text > summary");
  assert.equal(titles.length, 1);
  assert.match(titles[0]!, /^one: q/);
  assert.match(document.querySelector("main")!.textContent, /For 1 of 2 texts there is no room/);
  assert.match(batchMarkdown(BATCH, SUMMARY, 0), /For 3 of 3 texts/);
});

Deno.test("Requirement 8.7: the batch in Markdown has the same sections, and no text is markup in it", () => {
  const text = batchMarkdown(BATCH, SUMMARY);
  assert.equal(text.match(/^\| c1 \|/gm)?.length, 2);
  assert.equal(text.match(/^### Temporal inconsistency \(1\)$/gm)?.length, 2);
  assert.match(text, /^\| one \| 1 \| 2 \|/m);
  assert.doesNotMatch(text, /<script>|undefined|NaN/);
});
