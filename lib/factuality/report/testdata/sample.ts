import assert from "node:assert/strict";
import { parseHTML } from "linkedom";
import { evaluate } from "../../check/check.ts";
import { unscored } from "../../decision.ts";
import { components, countingClock, retrievedPassage } from "../../check/testdata/fakes.ts";
import { judgement, scriptedJudge } from "../../check/testdata/fakes.ts";
import { scriptedRetriever } from "../../check/testdata/fakes.ts";
import type { Evaluation } from "../../types.ts";

/** The properties of linkedom's elements used here, since its types need the browser's. */
interface Part {
  readonly id: string;
  readonly textContent: string;
  readonly outerHTML: string;
  readonly classList: { contains(name: string): boolean };
  getAttribute(name: string): string | null;
  querySelector(selector: string): Part | null;
  querySelectorAll(selector: string): Iterable<Part> & { readonly length: number };
  remove(): void;
}

export const documentOf = (html: string) =>
  (parseHTML(html) as unknown as { document: Part }).document;

export const texts = (document: Part, selector: string) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());

const SOURCE = "Oslo has 700 islands nearby. Norway joined NATO in 1949. The fjord is deep.";

/** Text that would be markup, a formula or a table if interpreted. */
export const HOSTILE = `<script>alert("x")</script> & | =1+1 \u0060tick\u0060`;

const CANDIDATE =
  `The fjord is deep. Norway joined NATO in 1994. Oslo has 70 islands nearby. Elk swim. ${HOSTILE}. Why so?`;

/** An evaluation with every element that a report must show. */
export async function sampleEvaluation(candidate = CANDIDATE): Promise<Evaluation> {
  const deep = candidate.indexOf("deep");
  const span = { start: deep, end: deep + 4 };
  const flagged = [
    ...deep < 0 ? [] : [{ phrase: "deep", span, reason: "it is shallow" }],
    { phrase: "dry", span: undefined, reason: "<b>not</b> in the text" },
  ];
  const measured = { balancedAccuracy: 0.7, low: 0.62, high: 0.78, n: 200, on: "factbook claims" };
  const late = { ...unscored("third", "time-out", "60 s passed."), partialText: "{" };
  const lowScore = judgement(40, flagged, "Step by step: no.");
  const judges = [
    { ...scriptedJudge("first", () => Promise.resolve(lowScore)), measured },
    scriptedJudge("second", () => Promise.resolve(judgement(90))),
    scriptedJudge("third", () => Promise.resolve(late)),
  ];
  const retriever = scriptedRetriever((claim) =>
    claim.startsWith("Elk") ? [retrievedPassage("p1", `All elk swim well. ${HOSTILE}`)] : []
  );
  const given = components({
    retriever,
    judges,
    judgeClaims: true,
    criteria: ["style"],
    problems: ["The judge fourth did not load: file missing"],
    consistency: { languageModel: undefined, mostPairs: 10, mostPairsBeside: 10 },
  });
  const request = { id: "r1", source: SOURCE, candidate, question: "What of Norway?" };
  return await evaluate(request, given, { clock: countingClock() });
}

/** An evaluation of a text without source, components or claims. */
export async function emptyEvaluation(): Promise<Evaluation> {
  const request = { id: "empty", source: "", candidate: "", question: "" };
  return await evaluate(request, components(), { clock: countingClock() });
}

/** An evaluation without a source, of two claims for which retrieval found nothing. */
export async function evaluationWithoutPassages(): Promise<Evaluation> {
  const request = { id: "vain", source: "", candidate: "Elk swim. Elk ski.", question: "" };
  const given = components({ retriever: scriptedRetriever(() => []) });
  return await evaluate(request, given, { clock: countingClock() });
}

/** An evaluation without sources, whose first claim alone a language model has scored. */
export async function evaluationWithPlausibility(): Promise<Evaluation> {
  const plausibility = [{ claimId: "c1", value: -3.254 }, { claimId: "c2", value: undefined }];
  return { ...await emptyEvaluation(), consistency: { contradictions: [], plausibility } };
}

/** Asserts that every link has one target on the page and that it loads nothing external. */
export function assertSelfContained(document: ReturnType<typeof documentOf>): void {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  const links = [...document.querySelectorAll("a")].map((one) =>
    one.getAttribute("href")!.slice(1)
  );
  const words = [...document.querySelectorAll("[data-go]")]
    .map((one) => one.getAttribute("data-go")!);
  assert.deepEqual([...links, ...words].filter((id) => !ids.includes(id)), []);
  assert.equal(document.querySelectorAll("[src], link, img, iframe, [style]").length, 0);
}
