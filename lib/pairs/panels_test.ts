import fc from "fast-check";
import assert from "node:assert/strict";
import { join } from "node:path";
import { ggufEntries, parsePanel } from "../models/panel.ts";
import type { Response } from "./answers.ts";
import { statisticsTable } from "./clustered.ts";
import { panelResults } from "./figure_rows.ts";
import { orderPlan, ORDERS } from "./forced_choice.ts";
import { NEED_BOTH_ORDERS } from "./measures.ts";
import { completePanels, computeMetrics, metricsTable, missingAnswers } from "./panels.ts";
import { readPanel, readStudyPanels, studyPanels } from "./panels.ts";
import { computeStatistics } from "./statistics.ts";
import { standingTable } from "./tables.ts";
import { test } from "./testdata/folder.ts";
import { madeItems, madePairs, PHENOMENA } from "./testdata/norse.ts";
import { completeAnswers, responded } from "./testdata/responses.ts";
import { studyIn } from "./testdata/study.ts";

const STUDY = studyIn("nowhere");
const ITEMS = madeItems(12);
const PAIRS = ITEMS.map(({ pair }) => pair);
const HALF = orderPlan("counterbalanced", PAIRS, STUDY.orderSeed);
const SETTINGS = { seed: 1, resamples: 100, phenomena: PHENOMENA, items: ITEMS, likelihoods: [] };

/** Every question of these models answered with A. */
const always = (...models: readonly string[]) =>
  models.flatMap((model) =>
    PAIRS.flatMap(({ id }) => ORDERS.map((order) => responded(model, id, order, "A")))
  );

const inHalf = (rows: readonly Response[]) =>
  rows.filter(({ pairId, order }) => HALF(pairId).includes(order));

Deno.test("Feature: hosted models, panels side by side: a second panel changes no row of the first and shares none with it", () => {
  const { format } = statisticsTable({ path: "/statistics.csv" });
  const items = ITEMS.slice(0, 4);
  const local = { models: ["a", "b"] };
  const answers = completeAnswers(["a", "b", "x", "y"], items.map(({ pair }) => pair));
  fc.assert(
    fc.property(answers, fc.boolean(), (responses, counterbalanced) => {
      const hosted = { models: ["x", "y"], ...(counterbalanced ? { orders: HALF } : {}) };
      const text = (panels: readonly (typeof local | typeof hosted)[]) =>
        format(computeStatistics({ ...SETTINGS, items, responses, panels })).split("\n");
      const [alone, both] = [text([local]), text([local, hosted])];
      const added = both.filter((line) => !alone.includes(line));
      assert.deepEqual(both.filter((line) => !added.includes(line)), alone);
      assert.ok(added.length > 0 && added.every((line) => /^(x|y|x vs y),/.test(line)));
    }),
    { numRuns: 100 },
  );
});

Deno.test("computeStatistics() gives no figure that needs both orders where one was asked", () => {
  const of = (panel: { readonly models: readonly string[]; readonly orders?: typeof HALF }) =>
    computeStatistics({ ...SETTINGS, responses: always("x"), panels: [panel] })
      .filter(({ model, phenomenon }) => model === "x" && phenomenon === "ALL");
  const half = of({ models: ["x"], orders: HALF });
  const estimates = new Map<string, number>();
  for (const { measure, value, method, n } of half) {
    assert.equal(value.kind === "unavailable", NEED_BOTH_ORDERS.includes(measure), measure);
    if (value.kind === "unavailable") assert.match(method, /needs every pair in both orders/);
    else {
      assert.equal(n, 12);
      estimates.set(measure, value.estimate);
    }
  }
  // Always A over twelve pairs, six of them with the good sentence at A: hits 6 of 6, false alarms 6
  // of 6, both corrected to 6.5 / 7, z = 1.4652.
  assert.deepEqual([estimates.get("accuracy"), estimates.get("d_prime")], [0.5, 0]);
  assert.equal(estimates.get("position_bias")?.toFixed(4), "1.4652");
  assert.ok(of({ models: ["x"] }).every(({ value }) => value.kind !== "unavailable"));
});

test("readPanel() takes a relative path from the project's folder, and says what to write without a panel", (at) => {
  const { project } = STUDY;
  const absolute = join(project, ".cache", "mine.gguf");
  const entries = ["models/mine.gguf", absolute].map((path, i) =>
    `  - {id: m${i}, kind: gguf, path: ${path}, roles: [likelihood], licence: none}\n`
  );
  Deno.writeTextFileSync(at("mine.yaml"), `name: mine\nmodels:\n${entries.join("")}`);
  const paths = ggufEntries(readPanel(at("mine.yaml"), project)).map(({ path }) => path);
  assert.deepEqual(paths, [join(project, "models/mine.gguf"), absolute]);
  assert.throws(
    () => readPanel("nosuch", project),
    /Cannot read panel nosuch: .*local, large, groq/,
  );
  assert.throws(() => readPanel("/tmp", project), /Cannot read panel .*: it is a folder/);
});

const HOSTED = [
  "openai/gpt-oss-120b",
  "openai/gpt-oss-20b",
  "meta-llama/llama-4-scout-17b-16e-instruct",
  "meta-llama/llama-3.3-70b-versatile",
] as const;
const LOCAL = ["SmolLM2-135M-Instruct", "gemma-3-270m"] as const;

const evidence = (hosted: readonly Response[]) =>
  panelResults(STUDY, PAIRS, { responses: [...always(...LOCAL), ...hosted], likelihoods: [] });

Deno.test("readStudyPanels() has the specification's four models, exactly and under its names", () => {
  const hosted = readStudyPanels(STUDY).find(({ title }) => title === "hosted");
  assert.deepEqual(hosted?.panel.models.map(({ id }) => id), HOSTED);
});

Deno.test("panelResults() takes a hosted panel in the richest design it has completed, an incomplete one not at all", () => {
  const { panels, models, responses } = evidence(always(...HOSTED).slice(2));
  assert.deepEqual(panels.map(({ title, design }) => [title, design]), [["local", "both"]]);
  assert.deepEqual(models, LOCAL);
  // Neither do its answers count anywhere: 94 of 96 are not an answer to the same questions.
  assert.deepEqual(responses, always(...LOCAL));
  // Nor do those of other models of a host, asked by a panel file of one's own.
  assert.deepEqual(evidence(always("qwen/one", "qwen/two")).responses, always(...LOCAL));
  const [further, ...others] = HOSTED;
  const half = evidence([...always(further), ...inHalf(always(...others))]);
  assert.deepEqual(half.panels.map(({ design }) => design), ["both", "counterbalanced"]);
  // The second orders of the model that is further on do not count.
  assert.equal(half.responses.length, (2 * LOCAL.length + HOSTED.length) * PAIRS.length);
  assert.equal(evidence(always(...HOSTED)).panels[1]?.design, "both");
});

Deno.test("completePanels() says how many answers each model lacks where no panel is complete", () => {
  // Of a local model no half takes the place of all: it is asked again.
  const local = [...inHalf(always(LOCAL[0])), ...always(LOCAL[1]).slice(1)];
  const rows = [...local, ...always(...HOSTED.slice(1))];
  assert.throws(
    () => completePanels(STUDY, studyPanels(STUDY, PAIRS, rows)),
    /no panel is complete \(SmolLM2-135M-Instruct lacks 12, gemma-3-270m lacks 1, openai\/gpt-oss-120b lacks 24\)/,
  );
});

Deno.test("completePanels() counts the complete models of the local panel, the hosted one whole or not at all", () => {
  const panels = studyPanels(STUDY, PAIRS, always(...LOCAL).slice(1));
  const [local] = completePanels(STUDY, panels);
  assert.deepEqual([local?.models, local?.asked], [LOCAL, ["gemma-3-270m"]]);
  assert.match(standingTable(panels), /refused.*: SmolLM2-135M-Instruct \(1, or 1 in one order\)/);
  assert.match(standingTable(panels), /\| local \| gemma-3-270m \| both orders \|/);
  const [one] = completePanels(STUDY, studyPanels(STUDY, PAIRS, always(LOCAL[1])));
  assert.deepEqual([one?.models, one?.asked], [LOCAL, ["gemma-3-270m"]], "asked nothing");
  const three = studyPanels(STUDY, PAIRS, always(...LOCAL, ...HOSTED.slice(1)));
  assert.deepEqual(completePanels(STUDY, three).map(({ title }) => title), ["local"]);
});

Deno.test("studyPanels() refuses a model of two panels", () => {
  const entry = "  - {id: m, kind: gguf, path: m.gguf, roles: [chat], licence: x}\n";
  const panel = parsePanel(`name: mine\nmodels:\n${entry}`, "mine.yaml");
  const twice = [{ title: "local" as const, panel }, { title: "hosted" as const, panel }];
  assert.throws(() => studyPanels(STUDY, PAIRS, [], twice), /m is in two of them/);
});

/** 1, 2, 3 and 3 pairs of the four phenomena: a mean of the phenomena's accuracies is another number. */
const MEASURED = madePairs(12).filter(({ id }) =>
  !/^ON_(QUIRKY_CASE_00[23]|ADJECTIVE_003)$/u.test(id)
);
const MODELS = ["openai/gpt-oss-120b", "openai/gpt-oss-20b", "llama-4", "llama-3.3"];
const answers = completeAnswers(MODELS, MEASURED);
const TABLE = metricsTable({ path: "/metrics.csv" }, PHENOMENA);

Deno.test("metricsTable() writes the specification's columns", () => {
  const responses = madePairs(4).flatMap(({ id }, index) => [
    responded("m", id, "A_gram", "A"),
    responded("m", id, "B_gram", index === 0 ? "B" : index === 1 ? "INVALID" : "A"),
  ]);
  const metrics = computeMetrics({
    pairs: madePairs(4),
    responses,
    models: ["m"],
    phenomena: PHENOMENA,
  });
  assert.equal(
    TABLE.format(metrics),
    "model,overall_accuracy,quirky_case_accuracy,adjective_accuracy,umlaut_accuracy," +
      "middle_voice_accuracy\nm,0.625,1,0.5,0.5,0.5\n",
  );
});

Deno.test("Feature: old-norse-minimal-pairs, Property 17: accuracy calculation correctness; Property 18: per-phenomenon accuracy calculation; Property 19: complete model coverage", () => {
  fc.assert(
    fc.property(answers, (responses) => {
      const options = { pairs: MEASURED, responses, models: MODELS, phenomena: PHENOMENA };
      const metrics = computeMetrics(options);
      assert.deepEqual(metrics.map(({ model }) => model), MODELS);
      const lines = TABLE.format(metrics).trimEnd().split("\n").slice(1);
      for (const line of lines) assert.match(line, /^[^,]+(,(0|1|0\.\d+)){5}$/);
      for (const { model, overall, byPhenomenon } of metrics) {
        const own = responses.filter((row) => row.model === model);
        const right = own.filter(({ response, order }) =>
          (response === "A" && order === "A_gram") || (response === "B" && order === "B_gram")
        );
        assert.equal(overall, right.length / own.length);
        assert.deepEqual(Object.keys(byPhenomenon), [...PHENOMENA]);
        for (const name of PHENOMENA) {
          const of = (rows: typeof own) =>
            rows.filter(({ pairId }) => pairId.startsWith(`ON_${name}_`)).length;
          assert.equal(byPhenomenon[name], of(right) / of(own));
        }
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("Feature: old-norse-minimal-pairs, Property 20: evaluation completeness validation", () => {
  const questions = MODELS.length * MEASURED.length * ORDERS.length;
  const lost = fc.uniqueArray(fc.nat(questions - 1), { maxLength: 6 });
  fc.assert(
    fc.property(answers, lost, (responses, lost) => {
      const left = responses.filter((_, index) => !lost.includes(index));
      const options = { pairs: MEASURED, responses: left, models: MODELS, phenomena: PHENOMENA };
      const missing = missingAnswers(options);
      assert.equal([...missing.values()].reduce((sum, count) => sum + count, 0), lost.length);
      if (lost.length === 0) {
        computeMetrics(options);
        return;
      }
      assert.throws(() => computeMetrics(options), (error) => {
        assert.ok(error instanceof RangeError);
        for (const [model, count] of missing) {
          assert.equal(error.message.includes(`${model} lacks ${count}`), count > 0);
        }
        return true;
      });
    }),
    { numRuns: 100 },
  );
});

Deno.test("computeMetrics() counts no rows of other pairs or doubled ones; refuses no pairs and an untested phenomenon", () => {
  const pairs = madePairs(1);
  const row = responded("m", "ON_QUIRKY_CASE_001", "A_gram", "A");
  const responses = [row, row, responded("m", "ON_UMLAUT_009", "A_gram", "A")];
  const options = { pairs, responses, models: ["m"], phenomena: ["QUIRKY_CASE"] as const };
  assert.throws(() => computeMetrics(options), /m lacks 1/);
  const one = { ...options, orders: () => ["A_gram"] as const };
  assert.equal(computeMetrics(one)[0]?.overall, 1);
  assert.throws(() => computeMetrics({ ...one, pairs: [] }), /there are no pairs/);
  const untested = { ...one, phenomena: PHENOMENA };
  assert.throws(() => computeMetrics(untested), /no pair tests ADJECTIVE/);
});
