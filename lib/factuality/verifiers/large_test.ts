import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import type { AnswerModel, AnswerReply } from "../../models/model.ts";
import { PROMPTS, testPrompts } from "../judges/testdata/made.ts";
import { scoredVerdict, unscoredWithoutEvidence } from "../decision.ts";
import { type Passage, sourcePassage, type Verifier } from "../types.ts";
import { readTrainedWeights } from "./head.ts";
import {
  largeTemplate,
  largeVerifier,
  type LargeVerifierOptions,
  oneScaling,
  readLargeCalibration,
  sourceWindows,
  verdictOdds,
  verdictProbabilities,
} from "./large.ts";

const PROMPT = PROMPTS.template("check");

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;
const NONE = { slope: 1, intercept: 0 };

const mass = (...answers: [number, number, number]): AnswerReply => (
  { kind: "mass", answers, other: 1 - answers[0] - answers[1] - answers[2] }
);

/** Answers yes to text in the window, no to text there with "not", else unknown. */
const literal = (prompt: string): AnswerReply => {
  const [, passage, claim] = /^Passage: (.*) Claim: (.*)$/.exec(prompt)!;
  if (passage!.includes(claim!)) return mass(0.8, 0.05, 0.1);
  return passage!.includes(`not ${claim}`) ? mass(0.05, 0.8, 0.1) : mass(0.1, 0.1, 0.7);
};

/** Scaling without change, and the weights of another verifier. */
const weighted = (text: number, lookedUp: number) => {
  const plain = { supported: NONE, refuted: NONE };
  return { text: { ...plain, beside: text }, lookedUp: { ...plain, beside: lookedUp } };
};

function made(
  reply: (prompt: string) => AnswerReply = literal,
  more: Partial<LargeVerifierOptions> = {},
  prompt = "check",
) {
  const asked: string[] = [];
  const model: AnswerModel = {
    name: "made",
    settings: { threads: 1 },
    countTokens: words,
    answer(prompt, answers) {
      assert.deepEqual(answers, ["Yes", "No", "Unknown"]);
      asked.push(prompt);
      return Promise.resolve(reply(prompt));
    },
  };
  const verifier = largeVerifier(model, PROMPTS.template(prompt), {
    scalings: oneScaling({ supported: NONE, refuted: NONE }),
    modelSha256: "ab",
    reading: { windowTokens: 8, windows: 2 },
    ...more,
  });
  return { verifier, asked };
}

const SOURCE = sourcePassage(
  "Oslo lies in Norway. It is its capital. Bergen rains much. Bergen lies by the sea. " +
    "Narvik is cold. Narvik has a harbour.",
);

Deno.test("largeVerifier() shows the window first and the claim last, and reads a window for all claims before the next", async () => {
  const { verifier, asked } = made();
  const claims = ["Oslo lies in Norway.", "Bergen rains much.", "Bergen is cold."];
  const verdicts = await verifier.verify(claims, [SOURCE]);
  // Three windows; each claim is read against the two with most of its terms.
  assert.deepEqual(
    asked.map((prompt) => [prompt.slice(9, 13), prompt.split("Claim: ")[1]]),
    [
      ["Oslo", claims[0]],
      ["Oslo", claims[1]],
      ["Berg", claims[0]],
      ["Berg", claims[1]],
      ["Berg", claims[2]],
      ["Narv", claims[2]],
    ],
  );
  const [oslo, bergen, neither] = verdicts;
  assert.ok(oslo?.kind === "scored" && bergen?.kind === "scored" && neither?.kind === "scored");
  assert.deepEqual([oslo.label, bergen.label], ["supported", "supported"]);
  assert.equal(neither.label, "not enough info");
  assert.equal(bergen.evidence[0]?.text, "Bergen rains much. Bergen lies by the sea.");
  // 0.8 of 0.95; the words give the rest, too.
  assert.ok(Math.abs(bergen.probabilities.supported - 0.8 / 0.95) < 1e-6);
  assert.equal(
    bergen.findings[0]?.words,
    "P(Yes) 0.800, P(No) 0.050, P(Unknown) 0.100, other words 0.050",
  );
});

Deno.test("largeVerifier() adds the log-odds of another verifier by their weight, and its findings; one that is unscored adds nothing", async () => {
  const words = "source says 3, claim says 2";
  const finding = { feature: "number", words, speaksFor: "refuted" } as const;
  const probabilities = { supported: 0.2, refuted: 0.4, "not enough info": 0.4 };
  const provenance = { producedBy: "b", modelSha256: "cd", promptSha256: undefined };
  const trained = scoredVerdict({ probabilities, evidence: [], findings: [finding], provenance });
  const beside: Verifier = {
    name: "b",
    settings: { headSha256: "cd" },
    verify: () => Promise.resolve([trained, unscoredWithoutEvidence(provenance)]),
  };
  const { verifier } = made(() => mass(0.6, 0.1, 0.1), {
    addedVerifier: beside,
    scalings: weighted(1, 0),
  });
  const [both, alone] = await verifier.verify(["Oslo lies.", "Oslo lies."], [SOURCE]);
  assert.ok(both?.kind === "scored" && alone?.kind === "scored");
  // Odds of 3 times odds of a quarter; then equal odds of the other two.
  const { supported, refuted, "not enough info": silent } = both.probabilities;
  assert.ok(Math.abs(supported - 3 / 7) < 1e-6 && Math.abs(refuted - silent) < 1e-6);
  assert.deepEqual(both.findings.at(-1), finding);
  assert.ok(Math.abs(alone.probabilities.supported - 3 / 4) < 1e-6);
  assert.match(String(verifier.settings["besideSettings"]), /cd/);
  // By half their weight: 3 times the root of a quarter.
  const half = made(() => mass(0.6, 0.1, 0.1), {
    addedVerifier: beside,
    scalings: weighted(0.5, 0),
  });
  const [less] = await half.verifier.verify(["Oslo lies.", "Oslo lies."], [SOURCE]);
  assert.ok(less?.kind === "scored");
  assert.ok(Math.abs(less.probabilities.supported - 1.5 / 2.5) < 1e-6);
  assert.equal(half.verifier.settings["besideWeight"], 0.5);
  // For retrieved evidence nothing is added or reported.
  const field = { ...SOURCE, collection: "base", section: "Location" };
  const [own] = await half.verifier.verify(["Oslo lies."], [field]);
  assert.ok(own?.kind === "scored" && own.findings.length === 1);
  assert.ok(Math.abs(own.probabilities.supported - 3 / 4) < 1e-6);
});

Deno.test("sourceWindows() packs short passages together, under their headings, and cuts long ones", () => {
  const about = (section: string, text: string): Passage => (
    { id: section, collection: "factbook", title: "Norway", section, text }
  );
  const passages = [about("Area", "Large."), about("Coast", "Long."), about("Sea", " ")];
  const [one, ...none] = sourceWindows(passages, 8, words);
  assert.equal(one?.premise, "Norway, Area: Large.\nNorway, Coast: Long.");
  assert.deepEqual([one.chunks.length, none.length], [2, 0]);
  assert.equal(sourceWindows(passages, 5, words).length, 2);
  const long = sourceWindows([SOURCE], 8, words);
  assert.ok(long.length === 3 && long.every(({ premise }) => words(premise) <= 8));
});

Deno.test("verdictProbabilities() scales both odds; without scaling they are the shares of the answers", () => {
  const odds = verdictOdds([0.6, 0.1, 0.2]);
  assert.ok(Math.abs(odds.supported - Math.log(2)) < 1e-6);
  assert.ok(Math.abs(odds.refuted - Math.log(0.5)) < 1e-6);
  const plain = verdictProbabilities(odds, { supported: NONE, refuted: NONE });
  const shares = [plain.supported, plain.refuted, plain["not enough info"]];
  shares.forEach((share, i) => assert.ok(Math.abs(share - [2 / 3, 1 / 9, 2 / 9][i]!) < 1e-6));
  // 0.5 × ln 2 − ln 2 = −ln 2 / 2; logistic: 1 / (1 + √2).
  const scaled = { slope: 0.5, intercept: -Math.log(2) };
  const { supported } = verdictProbabilities(odds, { supported: scaled, refuted: NONE });
  assert.ok(Math.abs(supported - 1 / (1 + Math.SQRT2)) < 1e-6);
  // No probability at all on one side: finite, and certain.
  const sure = verdictProbabilities(verdictOdds([1, 0, 0]), { supported: NONE, refuted: NONE });
  assert.ok(sure.supported > 1 - 1e-8 && sure.refuted + sure["not enough info"] < 1e-8);
});

Deno.test("largeVerifier() is unscored without a source, for a claim too long, and where a window was not read", async () => {
  const reasonOf = async (reply: AnswerReply, claim = "Oslo lies.", passage = SOURCE) => {
    const [verdict] = await made(() => reply).verifier.verify([claim], [passage]);
    assert.ok(verdict?.kind === "unscored", claim);
    assert.equal(verdict.provenance.promptSha256, PROMPT.sha256);
    return `${verdict.reason}: ${verdict.message}`;
  };
  const good = mass(0.8, 0.1, 0.1);
  assert.match(await reasonOf(good, "Oslo.", sourcePassage(" ")), /^no evidence: /);
  assert.equal(
    await reasonOf(good, "one two three four five six seven eight nine"),
    "too long: The claim has 9 tokens; made reads at most 8.",
  );
  assert.equal(await reasonOf({ kind: "failure", message: "too long" }), "failure: too long");
  assert.match(await reasonOf({ kind: "refusal", text: "No." }), /^refusal: /);
  assert.match(await reasonOf(mass(0, 0, 0)), /^malformed answer: .*other words 1\.000\.$/);
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(made().verifier.verify(["Oslo."], [SOURCE], { signal }), /enough/);
  assert.throws(() => made(literal, {}, "claim"), /prompt claim: it must be a verdict prompt/);
});

Deno.test("the committed calibration is of the committed prompt; another prompt of its name is refused", async () => {
  const calibration = readLargeCalibration();
  const none = testPrompts({ a: { answer: "claims", text: "{{candidate}} {{answer_format}}" } });
  const template = await largeTemplate(calibration, none);
  assert.equal(template.sha256, calibration.promptSha256);
  for (const { supported, refuted } of Object.values(calibration.scalings)) {
    assert.ok(supported.slope > 0 && refuted.slope > 0);
  }
  assert.equal(calibration.besideSha256, readTrainedWeights().sha256);
  const other = { ...calibration, prompt: "check" };
  await assert.rejects(largeTemplate(other, PROMPTS), /by the prompt check: its calibration is of/);
  await inFolder((folder) => {
    const path = join(folder, "c.json");
    Deno.writeTextFileSync(path, JSON.stringify({ ...calibration, windows: 0 }));
    const message = /c\.json is no/;
    assert.throws(() => readLargeCalibration(path), { name: "SyntaxError", message });
    return Promise.resolve();
  });
});
