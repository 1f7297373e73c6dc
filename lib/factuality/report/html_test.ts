import assert from "node:assert/strict";
import fc from "fast-check";
import { claimsCsv, evaluationJson, readEvaluationJson } from "./formats.ts";
import { evaluationPage, segmentsOf } from "./html.ts";
import { evaluationMarkdown } from "./words.ts";
import { assertSelfContained, documentOf, emptyEvaluation, HOSTILE } from "./testdata/sample.ts";
import { sampleEvaluation, texts } from "./testdata/sample.ts";

Deno.test("Requirement 8.1: whatever the marks, segments are the whole text, and each character has exactly its owners", () => {
  const mark = fc.record({ owner: fc.nat(3), start: fc.nat(12), end: fc.nat(15) });
  fc.assert(
    fc.property(fc.string({ maxLength: 10 }), fc.array(mark, { maxLength: 6 }), (text, marks) => {
      const segments = segmentsOf(text, marks);
      assert.equal(segments.map((segment) => segment.text).join(""), text);
      for (const { start, end, owners } of segments) {
        assert.ok(start < end);
        for (let at = start; at < end; at++) {
          const covering = marks.filter((m) => m.start <= at && at < m.end).map((m) => m.owner);
          assert.deepEqual(owners, [...new Set(covering)].sort());
        }
      }
    }),
    { numRuns: 300 },
  );
});

const pageOf = async (candidate?: string) =>
  documentOf(evaluationPage(await sampleEvaluation(candidate)));

Deno.test("Requirement 8.1 and 8.3: the page has the whole text, each claim's words in the class of its verdict", async () => {
  const document = await pageOf();
  const [running] = document.querySelectorAll(".running");
  const refuted = texts(running!, ".words.refuted");
  assert.deepEqual(refuted, ["Norway joined NATO in 1994.", "Oslo has 70 islands nearby."]);
  for (const tag of running!.querySelectorAll(".tag")) tag.remove();
  const { request } = await sampleEvaluation();
  assert.equal(running!.textContent, request.candidate);
  assert.ok(request.candidate.includes(HOSTILE));
});

Deno.test("every link of the page leads to one place on it, and nothing is asked of anybody else", async () => {
  for (const evaluation of [await sampleEvaluation(), await emptyEvaluation()]) {
    assertSelfContained(documentOf(evaluationPage(evaluation)));
  }
});

Deno.test("a book's page is made at once: most claims have a line, and each link still leads somewhere", async () => {
  const sample = await sampleEvaluation();
  const [first] = sample.claims;
  const claims = Array.from({ length: 20_000 }, (_, index) => {
    const span = { start: 7 * index, end: 7 * index + 6 };
    return { ...first!, claim: { ...first!.claim, id: `c${index + 1}`, spans: [span] } };
  });
  const request = { ...sample.request, candidate: "A word.".repeat(20_000) };
  const begun = performance.now();
  const page = evaluationPage({ ...sample, request, claims });
  assert.ok(performance.now() - begun < 10_000);
  assert.equal(page.match(/<article/g)?.length, 2_000);
  assert.match(page, /href="#claim-19999"/);
  assert.match(page, /<p class="quiet" id="claim-19999">claim 19999: .*supported.*The fjord is/);
});

Deno.test("whatever the texts are, they are text: the page has its own elements only", async () => {
  const part = fc.constantFrom("<img src=x onerror=y>", '"', "'", "&amp;", "</div>", "Elk. ", "\0");
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
      const document = await pageOf(parts.join(""));
      assert.equal(document.querySelectorAll("img").length, 0);
      assert.equal(document.querySelectorAll("main").length, 1);
      assert.equal(document.querySelectorAll("script").length, 1);
    }),
    { numRuns: 100 },
  );
});

Deno.test("the committed example report: page, Markdown and table come of its JSON, to the byte", () => {
  const folder = new URL("../../../data/factuality/", import.meta.url);
  const read = (ending: string) =>
    Deno.readTextFileSync(new URL(`example_report.${ending}`, folder));
  const evaluation = readEvaluationJson(read("json"), "example_report.json");
  assert.equal(evaluationJson(evaluation), read("json"));
  assert.equal(evaluationPage(evaluation), read("html"));
  assert.equal(evaluationMarkdown(evaluation), read("md"));
  assert.equal(claimsCsv([evaluation]), read("csv"));
});
