import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { ggufEntries, parsePanel } from "../models/panel.ts";
import type { Response } from "./answers.ts";
import { statisticsTable } from "./clustered.ts";
import { panelEvidence } from "./evidence.ts";
import { orderPlan, ORDERS } from "./forced_choice.ts";
import { NEED_BOTH_ORDERS } from "./measures.ts";
import { completePanels, readPanel, readStudyPanels, studyPanels } from "./panels.ts";
import { computeStatistics } from "./statistics.ts";
import { standingTable } from "./tables.ts";
import { test } from "./testdata/folder.ts";
import { madeItems, PHENOMENA } from "./testdata/norse.ts";
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
  assert.throws(() => readPanel("/tmp", project), /Cannot read panel .*: there is no such file/);
});

const HOSTED = [
  "openai/gpt-oss-120b",
  "openai/gpt-oss-20b",
  "meta-llama/llama-4-scout-17b-16e-instruct",
  "meta-llama/llama-3.3-70b-versatile",
] as const;
const LOCAL = ["SmolLM2-135M-Instruct", "gemma-3-270m"] as const;

const evidence = (hosted: readonly Response[]) =>
  panelEvidence(STUDY, PAIRS, { responses: [...always(...LOCAL), ...hosted], likelihoods: [] });

Deno.test("readStudyPanels() has the specification's four models, exactly and under its names", () => {
  const hosted = readStudyPanels(STUDY).find(({ title }) => title === "hosted");
  assert.deepEqual(hosted?.panel.models.map(({ id }) => id), HOSTED);
});

Deno.test("panelEvidence() takes a hosted panel in the richest design it has completed, an incomplete one not at all", () => {
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
  assert.deepEqual([local?.models, local?.asked], [["gemma-3-270m"], ["gemma-3-270m"]]);
  assert.match(standingTable(panels), /Refused.*: SmolLM2-135M-Instruct \(1, or 1 in one order\)/);
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
  assert.throws(() => studyPanels(STUDY, PAIRS, [], twice), /m stands in two of them/);
});
