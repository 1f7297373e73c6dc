import assert from "node:assert/strict";
import { isAbsolute, join } from "node:path";
import fc from "fast-check";
import { ggufEntries, parsePanel } from "../models/panel.ts";
import type { Response } from "./answers.ts";
import { panelEvidence } from "./evidence.ts";
import { counterbalancedOrders, orderPlan, ORDERS } from "./forced_choice.ts";
import { NEED_BOTH_ORDERS } from "./measures.ts";
import {
  completePanels,
  countedResponses,
  panelStanding,
  readPanel,
  readStudyPanels,
  studyPanels,
} from "./panels.ts";
import { statisticsTable } from "./clustered.ts";
import { computeStatistics } from "./statistics.ts";
import { standingTable } from "./tables.ts";
import { madePairs, PHENOMENA } from "./testdata/norse.ts";
import { completeAnswers, responded } from "./testdata/responses.ts";
import { studyIn } from "./testdata/study.ts";
import { madeItems } from "./testdata/whole_run.ts";

const TABLE = statisticsTable({ path: "/statistics.csv" });
const ITEMS = madeItems(12);
const PAIRS = ITEMS.map(({ pair }) => pair);
const SEED = 7;
const HALF = counterbalancedOrders(PAIRS, SEED);
const SETTINGS = { seed: 1, resamples: 100, phenomena: PHENOMENA, items: ITEMS, likelihoods: [] };
const [LOCAL, HOSTED] = [["a", "b"], ["x", "y"]] as const;

const always = (model: string, letter: Response["response"]) =>
  PAIRS.flatMap(({ id }) => ORDERS.map((order) => responded(model, id, order, letter)));

const inHalf = (rows: readonly Response[]) =>
  rows.filter(({ pairId, order }) => HALF(pairId).includes(order));

Deno.test("Feature: hosted models, panels side by side: a second panel changes no row of the first and shares none with it", () => {
  const items = ITEMS.slice(0, 4);
  const answers = completeAnswers([...LOCAL, ...HOSTED], items.map(({ pair }) => pair));
  fc.assert(
    fc.property(answers, fc.boolean(), (responses, counterbalanced) => {
      const local = { models: LOCAL };
      const hosted = { models: HOSTED, ...(counterbalanced ? { orders: HALF } : {}) };
      const text = (panels: readonly (typeof local | typeof hosted)[]) =>
        TABLE.format(computeStatistics({ ...SETTINGS, items, responses, panels })).split("\n");
      const [alone, both] = [text([local]), text([local, hosted])];
      const added = both.filter((line) => !alone.includes(line));
      assert.deepEqual(both.filter((line) => !added.includes(line)), alone);
      assert.ok(added.length > 0 && added.every((line) => /^(x|y|x vs y),/.test(line)));
    }),
    { numRuns: 100 },
  );
});

type Rows = ReturnType<typeof computeStatistics>;

function estimateOf(rows: Rows, measure: string): number {
  const value = rows.find((row) => row.measure === measure)?.value;
  assert.ok(value && value.kind !== "unavailable", measure);
  return value.estimate;
}

Deno.test("computeStatistics() gives no figure that needs both orders where one was asked", () => {
  const responses = always("x", "A");
  const of = (panel: { readonly models: readonly string[]; readonly orders?: typeof HALF }) =>
    computeStatistics({ ...SETTINGS, responses, panels: [panel] })
      .filter(({ model, phenomenon }) => model === "x" && phenomenon === "ALL");
  const half = of({ models: ["x"], orders: HALF });
  for (const { measure, value, method, n } of half) {
    assert.equal(value.kind === "unavailable", NEED_BOTH_ORDERS.includes(measure), measure);
    if (value.kind === "unavailable") assert.match(method, /needs every pair in both orders/);
    else assert.equal(n, 12);
  }
  // Always A over twelve pairs, six of them with the good sentence at A.
  const accuracy = half.find(({ measure }) => measure === "accuracy")?.value;
  assert.ok(accuracy?.kind === "interval" && accuracy.estimate === 0.5);
  // Hits 6 of 6 at A, false alarms 6 of 6 at B, both corrected to 6.5 / 7: z = 1.4652.
  assert.equal(estimateOf(half, "d_prime"), 0);
  assert.ok(Math.abs(estimateOf(half, "position_bias") - 1.4652) < 1e-4);
  assert.ok(of({ models: ["x"] }).every(({ value }) => value.kind !== "unavailable"));
});

Deno.test("panelStanding() names the richest design that all models have completed", () => {
  const of = (responses: readonly Response[], models = ["x", "y"]) =>
    panelStanding({ pairs: PAIRS, responses, models, seed: SEED });
  const [x, y] = [always("x", "A"), always("y", "B")];
  const designOf = (responses: readonly Response[]) => {
    const standing = of(responses);
    return standing.kind === "complete" ? standing.design : standing.kind;
  };
  assert.equal(designOf([...x, ...y]), "both");
  // One model further than the other: what both have is one order a pair.
  assert.equal(designOf([...x, ...inHalf(y)]), "counterbalanced");
  assert.deepEqual(of([...x.slice(0, 5), ...inHalf(y).slice(1)]), {
    kind: "incomplete",
    models: [
      {
        model: "x",
        answered: 5,
        lacks: { both: 19, counterbalanced: 12 - inHalf(x.slice(0, 5)).length },
      },
      { model: "y", answered: 11, lacks: { both: 13, counterbalanced: 1 } },
    ],
  });
});

const { project } = studyIn("nowhere");

Deno.test("readPanel() takes a relative path from the project's folder, not from the notebook's", () => {
  const file = Deno.makeTempFileSync({ suffix: ".yaml" });
  try {
    const entry = (path: string) =>
      `  - {id: m${path.length}, kind: gguf, path: ${path}, roles: [likelihood], licence: none}\n`;
    const absolute = join(project, ".cache", "mine.gguf");
    Deno.writeTextFileSync(
      file,
      `name: mine\nmodels:\n${entry("models/mine.gguf")}${entry(absolute)}`,
    );
    const paths = ggufEntries(readPanel(file, project)).map(({ path }) => path ?? "");
    assert.deepEqual(paths, [join(project, "models/mine.gguf"), absolute]);
    assert.ok(paths.every((path) => isAbsolute(path)));
  } finally {
    Deno.removeSync(file);
  }
});

const EIGHT_PAIRS = madePairs(8);
const STUDY = studyIn("nowhere");

const HOSTED_IDS = [
  "openai/gpt-oss-120b",
  "openai/gpt-oss-20b",
  "meta-llama/llama-4-scout-17b-16e-instruct",
  "meta-llama/llama-3.3-70b-versatile",
];

const ONE_ORDER = orderPlan("counterbalanced", EIGHT_PAIRS, STUDY.orderSeed);

const answers = (models: readonly string[]): readonly Response[] =>
  models.flatMap((model) =>
    EIGHT_PAIRS.flatMap(({ id }) => ORDERS.map((order) => responded(model, id, order, "A")))
  );

const inOneOrder = (rows: readonly Response[]) =>
  rows.filter(({ pairId, order }) => ONE_ORDER(pairId).includes(order));

const LOCAL_NAMES = ["SmolLM2-135M-Instruct", "gemma-3-270m"];
const LOCAL_ANSWERS = answers(LOCAL_NAMES);

const evidence = (hosted: readonly Response[]) =>
  panelEvidence(
    STUDY,
    EIGHT_PAIRS,
    { responses: [...LOCAL_ANSWERS, ...hosted], likelihoods: [] },
    studyPanels(STUDY, EIGHT_PAIRS, [...LOCAL_ANSWERS, ...hosted]),
  );

Deno.test("readStudyPanels(STUDY) has the specification's four models, exactly and under its names", () => {
  const hosted = readStudyPanels(STUDY).find(({ title }) => title === "hosted");
  assert.deepEqual(hosted?.panel.models.map(({ id }) => id), HOSTED_IDS);
});

Deno.test("studyPanels() lets an incomplete hosted panel change nothing of the local one", () => {
  const { panels, models, responses } = evidence(answers(HOSTED_IDS).slice(2));
  assert.deepEqual(panels.map(({ title, design }) => [title, design]), [["local", "both"]]);
  assert.deepEqual(models, ["SmolLM2-135M-Instruct", "gemma-3-270m"]);
  // Neither do its answers count anywhere: 62 of 64 are not an answer to the same questions.
  assert.deepEqual(responses, LOCAL_ANSWERS);
});

Deno.test("studyPanels() takes a hosted panel in the richest design it has completed", () => {
  const whole = answers(HOSTED_IDS);
  const [further = "", ...others] = HOSTED_IDS;
  const { panels, responses } = evidence([
    ...answers([further]),
    ...inOneOrder(answers(others)),
  ]);
  assert.deepEqual(panels.map(({ title, design }) => [title, design]), [
    ["local", "both"],
    ["hosted", "counterbalanced"],
  ]);
  // The second orders of the model that is further on do not count.
  assert.equal(
    responses.length,
    LOCAL_ANSWERS.length + HOSTED_IDS.length * EIGHT_PAIRS.length,
  );
  assert.equal(evidence(whole).panels[1]?.design, "both");
});

Deno.test("completePanels() says how many answers each model lacks where no panel is complete", () => {
  // Of a local model no half takes the place of all: it is asked again.
  const [first = "", second = ""] = LOCAL_NAMES;
  const panels = (rows: readonly Response[]) => () =>
    completePanels(STUDY, studyPanels(STUDY, EIGHT_PAIRS, rows));
  const lacking = [...inOneOrder(answers([first])), ...answers([second]).slice(1)];
  assert.throws(
    panels([...lacking, ...answers(HOSTED_IDS.slice(1))]),
    /no panel is complete \(SmolLM2-135M-Instruct lacks 8, gemma-3-270m lacks 1, openai\/gpt-oss-120b lacks 16\)/,
  );
});

Deno.test("completePanels() counts the complete models of the local panel, and leaves out who lacks answers", () => {
  const panels = studyPanels(STUDY, EIGHT_PAIRS, LOCAL_ANSWERS.slice(1));
  const [local] = completePanels(STUDY, panels);
  assert.deepEqual([local?.models, local?.asked], [["gemma-3-270m"], ["gemma-3-270m"]]);
  assert.deepEqual(panels[0]?.leftOut.map(({ model, lacks }) => [model, lacks.both]), [
    ["SmolLM2-135M-Instruct", 1],
  ]);
  assert.equal(
    countedResponses(LOCAL_ANSWERS.slice(1), completePanels(STUDY, panels)).length,
    16,
  );
  // The hosted panel is the specification's four, or it is none.
  const three = studyPanels(STUDY, EIGHT_PAIRS, [
    ...LOCAL_ANSWERS,
    ...answers(HOSTED_IDS.slice(1)),
  ]);
  assert.deepEqual(completePanels(STUDY, three).map(({ title }) => title), ["local"]);
  assert.match(standingTable(panels), /\| local \| SmolLM2-135M-Instruct \| refused \| 1 \| 0 \|/);
  assert.match(standingTable(panels), /\| local \| gemma-3-270m \| yes, both orders \|/);
});

Deno.test("studyPanels() refuses a model of two panels", () => {
  const text =
    "name: mine\nmodels:\n  - {id: m, kind: gguf, path: m.gguf, roles: [chat], licence: x}\n";
  const panel = parsePanel(text, "mine.yaml");
  const twice = [{ title: "local" as const, panel }, { title: "hosted" as const, panel }];
  assert.throws(() => studyPanels(STUDY, EIGHT_PAIRS, [], twice), /m stands in two of them/);
});
