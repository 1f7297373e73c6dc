import assert from "node:assert/strict";
import { parsePanel } from "../../models/panel.ts";
import { ORDERS } from "../forced_choice.ts";
import { orderPlan } from "../order_plan.ts";
import type { Response } from "../responses.ts";
import { madePairs } from "../testdata/norse.ts";
import { responded } from "../testdata/responses.ts";
import { hostedSection } from "../report/hosted_section.ts";
import { panelEvidence } from "../report/panel_evidence.ts";
import { standingTable } from "../report/hosted_tables.ts";
import { completePanels, countedResponses, readStudyPanels, studyPanels } from "./study_panels.ts";
import { studyIn } from "../testdata/study.ts";

const PAIRS = madePairs(8);
const STUDY = studyIn("nowhere");
const HOSTED = [
  "openai/gpt-oss-120b",
  "openai/gpt-oss-20b",
  "meta-llama/llama-4-scout-17b-16e-instruct",
  "meta-llama/llama-3.3-70b-versatile",
];
const ONE_ORDER = orderPlan("counterbalanced", PAIRS, STUDY.orderSeed);

const answers = (models: readonly string[]): readonly Response[] =>
  models.flatMap((model) =>
    PAIRS.flatMap(({ id }) => ORDERS.map((order) => responded(model, id, order, "A")))
  );
const inOneOrder = (rows: readonly Response[]) =>
  rows.filter(({ pairId, order }) => ONE_ORDER(pairId).includes(order));

const LOCAL_NAMES = ["SmolLM2-135M-Instruct", "gemma-3-270m"];
const LOCAL = answers(LOCAL_NAMES);
const evidence = (hosted: readonly Response[]) =>
  panelEvidence(
    STUDY,
    PAIRS,
    { responses: [...LOCAL, ...hosted], likelihoods: [] },
    studyPanels(STUDY, PAIRS, [...LOCAL, ...hosted]),
  );

Deno.test("readStudyPanels(STUDY) has the specification's four models, exactly and under its names", () => {
  const hosted = readStudyPanels(STUDY).find(({ title }) => title === "hosted");
  assert.deepEqual(hosted?.panel.models.map(({ id }) => id), HOSTED);
});

Deno.test("studyPanels() lets an incomplete hosted panel change nothing of the local one", () => {
  const { panels, models, responses } = evidence(answers(HOSTED).slice(2));
  assert.deepEqual(panels.map(({ title, design }) => [title, design]), [["local", "both"]]);
  assert.deepEqual(models, ["SmolLM2-135M-Instruct", "gemma-3-270m"]);
  // Neither do its answers count anywhere: 62 of 64 are not an answer to the same questions.
  assert.deepEqual(responses, LOCAL);
});

Deno.test("studyPanels() takes a hosted panel in the richest design it has completed", () => {
  const whole = answers(HOSTED);
  const [further = "", ...others] = HOSTED;
  const { panels, responses } = evidence([
    ...answers([further]),
    ...inOneOrder(answers(others)),
  ]);
  assert.deepEqual(panels.map(({ title, design }) => [title, design]), [
    ["local", "both"],
    ["hosted", "counterbalanced"],
  ]);
  // The second orders of the model that is further on do not count.
  assert.equal(responses.length, LOCAL.length + HOSTED.length * PAIRS.length);
  assert.equal(evidence(whole).panels[1]?.design, "both");
});

Deno.test("completePanels() says how many answers each model lacks where no panel is complete", () => {
  // Of a local model no half takes the place of all: it is asked again.
  const [first = "", second = ""] = LOCAL_NAMES;
  const panels = (rows: readonly Response[]) => () =>
    completePanels(STUDY, studyPanels(STUDY, PAIRS, rows));
  const lacking = [...inOneOrder(answers([first])), ...answers([second]).slice(1)];
  assert.throws(
    panels([...lacking, ...answers(HOSTED.slice(1))]),
    /no panel is complete \(SmolLM2-135M-Instruct lacks 8, gemma-3-270m lacks 1, openai\/gpt-oss-120b lacks 16\)/,
  );
});

Deno.test("completePanels() counts the complete models of the local panel, and leaves out who lacks answers", () => {
  const panels = studyPanels(STUDY, PAIRS, LOCAL.slice(1));
  const [local] = completePanels(STUDY, panels);
  assert.deepEqual([local?.models, local?.asked], [["gemma-3-270m"], ["gemma-3-270m"]]);
  assert.deepEqual(panels[0]?.leftOut.map(({ model, lacks }) => [model, lacks.both]), [
    ["SmolLM2-135M-Instruct", 1],
  ]);
  assert.equal(countedResponses(LOCAL.slice(1), completePanels(STUDY, panels)).length, 16);
  // The hosted panel is the specification's four, or it is none.
  const three = studyPanels(STUDY, PAIRS, [...LOCAL, ...answers(HOSTED.slice(1))]);
  assert.deepEqual(completePanels(STUDY, three).map(({ title }) => title), ["local"]);
  assert.match(standingTable(panels), /\| local \| SmolLM2-135M-Instruct \| refused \| 1 \| 0 \|/);
  assert.match(standingTable(panels), /\| local \| gemma-3-270m \| yes, both orders \|/);
});

Deno.test("studyPanels() refuses a model of two panels", () => {
  const text =
    "name: mine\nmodels:\n  - {id: m, kind: gguf, path: m.gguf, roles: [chat], licence: x}\n";
  const panel = parsePanel(text, "mine.yaml");
  const twice = [{ title: "local" as const, panel }, { title: "hosted" as const, panel }];
  assert.throws(() => studyPanels(STUDY, PAIRS, [], twice), /m stands in two of them/);
});

Deno.test("hostedSection() says which models await a key, which are ending, and what fills them in", () => {
  const section = (hosted: readonly Response[]) => {
    const { panels, hosted: standings } = evidence(hosted);
    return hostedSection(STUDY, { panels, hosted: standings });
  };
  const empty = section([]);
  for (const id of HOSTED) assert.ok(empty.includes(`| ${id} |`), id);
  assert.equal(empty.match(/\| 0 \| 16 \| 0 \| awaits a key \|/g)?.length, 4);
  assert.match(empty, /not complete.*end of meta-llama\/llama-4-scout.*\(2026-07-17\)/s);
  assert.match(empty, /`deno task evaluate --panel groq`.*`deno task notebooks 13 14 15`/s);
  assert.match(section(answers(HOSTED).slice(3)), /\| 13 \| 16 \| 0 \| 3 to go \|/);
  const half = section(inOneOrder(answers(HOSTED)));
  assert.match(half, /complete \(one order a pair\).*complete in one order; 8 to go for both/s);
  assert.doesNotMatch(section(answers(HOSTED)), /to go|awaits|evaluate --panel/);
});
