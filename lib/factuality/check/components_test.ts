import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { tinyCrossEncoder } from "../../models/encoder/testdata/tiny_cross_encoder.ts";
import { startStandInServer } from "../../models/hosted/testdata/stand_in/server.ts";
import type { StructuredModel } from "../../models/model.ts";
import { PROMPTS } from "../judges/testdata/made.ts";
import { type Judgement, sourcePassage, VERDICT_LABELS, type Verifier } from "../types.ts";
import { fakeEncoder } from "../verifiers/testdata/tiny_models.ts";
import { parseEvaluationConfiguration } from "./configuration.ts";
import { evaluate } from "./check.ts";
import { configurationSha256 } from "./stored_answers.ts";
import {
  type ComponentMakers,
  ComponentsError,
  type ConfiguredOpening,
  openComponents,
  readyComponents,
} from "./components.ts";
import type { OpenJudge } from "../judges/judge.ts";
import { openVerifier } from "./components.ts";
import { unscored } from "../decision.ts";
import { countingClock, judgement, literalVerifier } from "./testdata/fakes.ts";
import { scriptedJudge, scriptedRetriever, verdict } from "./testdata/fakes.ts";

const CONFIGURATION = `
name: made
verifier: { kind: overlap }
retrieval: { kind: factbook }
judges:
  - { id: one, kind: gguf, path: one.gguf, licence: MIT, timeoutSeconds: 0.01 }
  - { id: two, kind: gguf, path: two.gguf, licence: MIT, required: true }
`;

function judgeSaying(id: string, said: Judgement, writes?: StructuredModel): OpenJudge {
  const measured = { modelSha256: undefined, weights: id };
  return { judge: scriptedJudge(id, () => Promise.resolve(said)), measured, writes };
}

const silent = (id: string, reason: Parameters<typeof unscored>[1]) =>
  judgeSaying(id, unscored(id, reason, "It says nothing."));

const GOOD: ComponentMakers = {
  openVerifier: () => Promise.resolve(literalVerifier),
  openRetriever: () => Promise.resolve(scriptedRetriever(() => [])),
  openJudge: ({ id }) => Promise.resolve(judgeSaying(id, judgement(80))),
};

const ready = (
  makers: Partial<ComponentMakers>,
  yaml = CONFIGURATION,
  more: Partial<ConfiguredOpening> = {},
) =>
  readyComponents(
    {
      configuration: parseEvaluationConfiguration(yaml, "made.yaml"),
      cacheDirectory: ".cache",
      env: ".env",
      threads: 1,
      quantisation: "none",
      resources: new AsyncDisposableStack(),
      prompts: PROMPTS,
      calibrationOf: () => undefined,
      problems: [],
      encoder: () => assert.fail("no encoder is needed"),
      clearCaches: () => Promise.resolve(),
      tell: () => {},
      ...more,
    },
    { ...GOOD, ...makers },
    "made.yaml",
  );

/** The problems for which nothing was opened. */
async function problemsOf(opening: Promise<unknown>): Promise<readonly string[]> {
  const error = await opening.then(() => assert.fail("it was opened"), (error) => error);
  assert.ok(error instanceof ComponentsError, String(error));
  return error.problems;
}

const failing = (message: string) => () => Promise.reject(new Error(message));

Deno.test("Requirement 1.4: what may be missing is left out, and reported by name and reason", async () => {
  const whole = await ready({});
  assert.deepEqual([whole.splitter.name, whole.retriever?.name], ["rules", "told"]);
  assert.deepEqual([whole.aggregation, whole.problems], ["weighted average", []]);
  const components = await ready({
    openRetriever: failing("Cannot open the knowledge base: x."),
    openJudge: (entry, opening) =>
      entry.id === "one" ? failing("one.gguf cannot be read")() : GOOD.openJudge(entry, opening),
  });
  assert.deepEqual(components.judges.map(({ name }) => name), ["two"]);
  const closed = "Knowledge base (factbook): Cannot open the knowledge base: x.";
  assert.deepEqual(components.problems, [closed, "Judge (one, gguf): one.gguf cannot be read"]);
  assert.deepEqual([components.retriever, components.retrieverProblem], [undefined, closed]);
});

Deno.test("Requirement 1.4: a verifier that opens and does not answer may later, one that cannot be opened does not", async () => {
  const errorOf = async (openVerifier: ComponentMakers["openVerifier"]) => {
    const error = await ready({ openVerifier }).catch((error) => error);
    assert.ok(error instanceof ComponentsError);
    return error;
  };
  const mute = {
    ...literalVerifier,
    verify: (claims: readonly string[]) =>
      Promise.resolve(claims.map(() => unscored("literal", "failure", "the server is down"))),
  };
  const down = await errorOf(() => Promise.resolve(mute));
  assert.equal(down.mayPass, true);
  assert.match(down.message, /it gave no verdict on a plain claim: the server is down/);
  assert.equal((await errorOf(failing("no such file"))).mayPass, false);
});

Deno.test("judges that nothing may rest on take no memory before plausibility is asked for", async () => {
  const yaml = CONFIGURATION.replaceAll("MIT,", "MIT, readout: next-token,")
    .replace("required: true", "weight: 1");
  const opened: string[] = [];
  const likelihood = {
    name: "one",
    settings: {},
    score: () => Promise.resolve([{ logProbability: -3, tokens: 1, bytes: 1 }]),
  };
  const openJudge: ComponentMakers["openJudge"] = ({ id }) => {
    opened.push(id);
    return Promise.resolve({
      ...judgeSaying(id, judgement(80)),
      ...id === "one" && { likelihood },
    });
  };
  const all = await ready({ openJudge }, yaml);
  assert.deepEqual([opened.splice(0), all.judgesLeft], [["one", "two"], []]);
  const trusted = await ready({ openJudge }, yaml, { trustedJudges: true });
  assert.deepEqual([opened.splice(0), trusted.judgesLeft], [["two"], ["one"]]);
  const { languageModel } = trusted.consistency!;
  await languageModel!.score(["Oslo."]);
  const [score] = await languageModel!.score(["Oslo."]);
  assert.deepEqual([opened, score!.logProbability], [["one"], -3]);
});

Deno.test("a judge of weight 0 is not trusted where the weighted one cannot be had", async () => {
  const yaml = CONFIGURATION.replace("required: true", "weight: 1")
    .replace("{ id: one,", "{ id: one, weight: 0,");
  const openJudge: ComponentMakers["openJudge"] = async ({ id, weight = 1 }) => {
    if (id === "two") return await failing("two.gguf cannot be read")();
    const opened = judgeSaying(id, judgement(80));
    return { ...opened, judge: { ...opened.judge, weight } };
  };
  const { judges, problems } = await ready({ openJudge }, yaml);
  assert.deepEqual(judges.map(({ name, weight }) => [name, weight]), [["one", 0]]);
  assert.match(problems.at(-1)!, /nothing rests on what they say/);
});

Deno.test("Requirement 1.4: what must be there stops it, with everything that failed", async () => {
  const yaml = CONFIGURATION.replace("factbook", "factbook, required: true") + "criteria: [wit]\n";
  const problems = await problemsOf(ready({
    openVerifier: failing("weights.json is no weights file"),
    openRetriever: failing("gone"),
    openJudge: ({ id }) => failing(`${id}.gguf cannot be read`)(),
  }, yaml));
  assert.match(problems[0]!, /^Prompt wit: the prompts file has factual_accuracy.*; add an entry/);
  assert.deepEqual(problems.slice(1), [
    "Verifier (overlap): weights.json is no weights file",
    "Knowledge base (factbook): gone",
    "Judge (two, gguf): two.gguf cannot be read",
    "Judge (one, gguf): one.gguf cannot be read",
  ]);
});

Deno.test("Requirement 1.5: a verifier without probabilities is not ready", async () => {
  const saying = (supported: number): Verifier => {
    const probabilities = { supported, refuted: 0.25, "not enough info": 0.25 };
    const said = verdict("supported", { probabilities });
    return { ...literalVerifier, verify: (claims) => Promise.resolve(claims.map(() => said)) };
  };
  const silent = { ...literalVerifier, verify: () => Promise.resolve([]) };
  const faults = [
    [saying(NaN), /^Verifier \(overlap\): its probabilities for a plain claim are NaN/],
    [saying(0.9), /0\.9, 0\.25, 0\.25$/],
    [silent, /it gave 0 verdicts on 2 claims/],
  ] as const;
  for (const [verifier, expected] of faults) {
    const [problem] = await problemsOf(ready({ openVerifier: () => Promise.resolve(verifier) }));
    assert.match(problem!, expected);
  }
});

Deno.test("Requirement 1.5: a judge that answers badly stays, one that does not answer is left out", async () => {
  const openJudge: ComponentMakers["openJudge"] = ({ id }) =>
    Promise.resolve(silent(id, id === "one" ? "time-out" : "malformed answer"));
  const components = await ready({ openJudge });
  const { judges, problems, absentJudges, configuredJudges } = components;
  assert.deepEqual(judges.map(({ name }) => name), ["two"]);
  const message = "it gave no score on a small task: It says nothing.";
  assert.deepEqual(problems, ["one", "two"].map((id) => `Judge (${id}, gguf): ${message}`));
  // Without it an evaluation is incomplete, of the same configuration as with it.
  assert.deepEqual(absentJudges, [`Judge (one, gguf): ${message}`]);
  assert.deepEqual(configuredJudges!.map(({ name }) => name), ["one", "two"]);
  assert.equal(configurationSha256(components), configurationSha256(await ready({})));
  const request = { id: "r", source: "Elk swim.", candidate: "Elk swim.", question: "" };
  const { failed } = await evaluate(request, components, { clock: countingClock() });
  assert.deepEqual(failed, absentJudges);
});

Deno.test("Requirement 9.2: a language-model splitter wants a judge that writes, and has its time", async () => {
  const yaml = `${CONFIGURATION}splitter: { kind: language-model, judge: one }\n`;
  const [problem] = await problemsOf(ready({}, yaml));
  assert.match(problem!, /^Splitter \(language-model\): one is not there, or does not write; /);
  const stopped = { kind: "failure", message: "stopped", partialText: undefined } as const;
  const ask: StructuredModel["ask"] = (_, { signal } = {}) =>
    new Promise((resolve) => signal?.addEventListener("abort", () => resolve(stopped)));
  const writes = { name: "one", settings: {}, concurrency: 1, ask };
  const openJudge: ComponentMakers["openJudge"] = ({ id }) =>
    Promise.resolve(judgeSaying(id, judgement(80), writes));
  const { splitter } = await ready({ openJudge }, yaml);
  assert.equal(splitter.settings["timeoutSeconds"], 0.01);
  // Without a measurement it splits claims all the same, and is not asked about them.
  const trusted = await ready({ openJudge }, yaml, { trustedJudges: true });
  assert.equal(trusted.splitter.settings["timeoutSeconds"], 0.01);
  assert.deepEqual([trusted.judges, trusted.writers], [[], []]);
  assert.deepEqual(trusted.judgesLeft, ["one", "two"]);
  await assert.rejects(splitter.split("Elk swim."), /no whole answer within 0\.01 s/);
});

const DATA = join(import.meta.dirname!, "../../../data/factuality");

/** Opens a configuration in its own folder, next to the baselines' thresholds. */
const opened = (
  yaml: string,
  work: (
    open: (
      more?: Partial<Parameters<typeof openComponents>[1]>,
    ) => ReturnType<typeof openComponents>,
    folder: string,
  ) => Promise<void>,
) =>
  inFolder(async (folder) => {
    const path = join(folder, "evaluation.yaml");
    const prompts = JSON.stringify(join(DATA, "prompts.yaml"));
    Deno.writeTextFileSync(path, `name: made\nprompts: ${prompts}\n${yaml}`);
    const baselines = "verifier_baselines.json";
    Deno.copyFileSync(join(DATA, baselines), join(folder, baselines));
    Deno.writeFileSync(join(folder, "tiny.gguf"), tinyCrossEncoder(VERDICT_LABELS));
    const [cacheDirectory, env] = [join(folder, "cache"), join(folder, ".env")];
    const options = { cacheDirectory, env, threads: 1 };
    await work((more = {}) => openComponents(path, { ...options, ...more }), folder);
  });

const OVERLAP = "verifier: { kind: overlap }\n";

Deno.test("openComponents() opens what needs no model, and looks a claim up in the user's own folder", () =>
  opened(`${OVERLAP}retrieval: { kind: folder, path: ., rerank: false }`, async (open, folder) => {
    const text = "The Tarn bridge was built in 1903.";
    Deno.writeTextFileSync(join(folder, "bridge.txt"), `${text}\n`);
    await using components = await open();
    const [found] = await components.retriever!.retrieve(text);
    assert.equal(found?.passage.title, "bridge");
    assert.deepEqual([components.judges, components.problems], [[], []]);
  }));

Deno.test("openComponents() opens no judge where none is wanted", () =>
  opened(
    `${OVERLAP}judges: [{ id: one, kind: gguf, path: gone.gguf, licence: MIT, required: true }]`,
    async (open) => {
      await using components = await open({ judges: false });
      assert.deepEqual([components.judges, components.problems], [[], []]);
      await assert.rejects(open(), /gone\.gguf/);
    },
  ));

Deno.test("Requirement 1.4: openComponents() names the file that is missing, or another one", async () => {
  const file = "verifier_baselines.json";
  const table: readonly (readonly [string, RegExp])[] = [
    ["verifier: { kind: trained, path: gone.json }", /^Verifier \(trained\): .*gone\.json/],
    [
      `verifier: { kind: trained, path: ${file}, sha256: ${"a".repeat(64)} }`,
      /verifier_baselines\.json is not the file that the configuration names: its/,
    ],
    [`verifier: { kind: trained, path: ${file} }`, /verifier_baselines\.json is no weights file/],
    [
      "verifier: { kind: large, path: tiny.gguf }",
      /^Verifier \(large\): .*model Qwen2\.5.*SHA-256 is [0-9a-f]{64}; cc324af0[0-9a-f]{56} is wanted/,
    ],
    ["verifier: { kind: large, calibration: gone.json }", /^Verifier \(large\): .*gone\.json/],
    [
      `${OVERLAP}judges: [{ id: torn, kind: gguf, path: ${file}, licence: MIT, required: true }]`,
      /Cannot load model torn: .*verifier_baselines\.json is no GGUF file/,
    ],
  ];
  for (const [yaml, expected] of table) {
    await opened(yaml, async (open) => assert.match((await problemsOf(open()))[0]!, expected));
  }
  await opened(OVERLAP, async (open, folder) => {
    const path = join(folder, "evaluation.yaml");
    Deno.writeTextFileSync(path, `name: made\n${OVERLAP}prompts: gone.yaml\n`);
    await assert.rejects(open(), /Cannot read prompts .*gone/);
    Deno.removeSync(path);
    await assert.rejects(open(), /Cannot read the configuration .*evaluation\.yaml: /);
  });
});

Deno.test("openComponents() asks a judge on a server a small question, keeps no key of what it answers, and leaves out one without", async () => {
  const secret = "quite-secret-0123456789";
  const answer = `{"reasoning": "You sent ${secret}.", "flagged": [], "score": 95}`;
  await using server = startStandInServer({ answer: () => answer });
  const judges =
    "judges: [{ id: served, keyName: OWN_KEY, kind: openai-compatible, licence: MIT, " +
    `baseUrl: "${server.openAiBaseUrl}" }]\n`;
  await opened(`${OVERLAP}judgeCalibration: none.json\n${judges}`, async (open, folder) => {
    await using without = await open();
    const problems = without.problems.join("\n");
    assert.match(problems, /none\.json is missing: .*\nJudge \(served, .*OWN_KEY/);
    Deno.writeTextFileSync(join(folder, ".env"), `OWN_KEY=${secret}\n`);
    await using components = await open();
    assert.deepEqual(components.judges.map(({ name }) => name), ["served"]);
    // It tells no probabilities: two answers tell whether it says the same again.
    assert.deepEqual(server.calls.map(({ key }) => key), [secret, secret]);
    const reply = await components.writers[0]!.ask("?");
    assert.match(JSON.stringify(reply), /You sent \[OWN_KEY\]/);
  });
});

Deno.test("what a server meets during a run names its own address, and no key", async () => {
  const secret = "quite-secret-0123456789";
  const server = startStandInServer({
    answer: ({ body }) => JSON.stringify(body).includes("JSON object") ? `{"score": 90}` : "True",
    plan: ({ body }) =>
      JSON.stringify(body).includes("library of Harrow")
        ? undefined
        : { kind: "status", status: 401, message: `wrong key ${secret}` },
  });
  const { host } = new URL(server.openAiBaseUrl);
  const where = `keyName: OWN_KEY, licence: MIT, baseUrl: "${server.openAiBaseUrl}"`;
  const yaml = `verifier: { kind: prompted-server, id: own, ${where} }\n` +
    `judges: [{ id: served, kind: openai-compatible, timeoutSeconds: 2, weight: 1, ${where} }]\n`;
  await opened(yaml, async (open, folder) => {
    Deno.writeTextFileSync(join(folder, ".env"), `OWN_KEY=${secret}\n`);
    await using components = await open();
    const request = { id: "r", source: "Elk swim.", candidate: "Elk swim in lakes.", question: "" };
    const evaluated = () => evaluate(request, components, { clock: countingClock() });
    const refused = await evaluated();
    await server[Symbol.asyncDispose]();
    for (const { problems, failed } of [refused, await evaluated()]) {
      const messages = [...problems, ...failed].join("\n");
      assert.match(messages, new RegExp(`its server at ${RegExp.escape(host)}`), messages);
      assert.doesNotMatch(messages, /quite-secret|\[address\]/);
    }
  });
});

Deno.test("Requirement 2.2: a model of one's own on a server tells three verdicts, contradictions among them, by one word; that it is uncalibrated is reported", async () => {
  await using server = startStandInServer({
    answer({ body }) {
      const prompt = JSON.stringify(body);
      const words = prompt.includes("Yes or No") ? ["Yes", "No"] : ["True.", "False."];
      return words[Number(prompt.includes("12,000"))]!;
    },
  });
  const entry = (more: string) =>
    "verifier: { kind: prompted-server, id: own, model: host/own, licence: MIT, " +
    `baseUrl: "${server.openAiBaseUrl}"${more} }`;
  await opened(entry(""), async (open) => {
    await using components = await open();
    const { verifier, problems } = components;
    const claims = ["The library holds 84,000 volumes.", "The library holds 12,000 volumes."];
    const passages = [sourcePassage("The library of Harrow holds 84,000 volumes.")];
    const verdicts = await verifier.verify(claims, passages);
    const labels = verdicts.map((one) => one.kind === "scored" && one.label);
    assert.deepEqual(labels, ["supported", "refuted"]);
    assert.match(
      problems.join(),
      /^Verifier \(own, prompted-server\): its probabilities are not calibrated\.$/,
    );
    const model = ({ body }: typeof server.calls[number]) => (body as { model: string }).model;
    assert.deepEqual([...new Set(server.calls.map(model))], ["host/own"]);
  });
  await opened(entry(", prompt: support"), async (open) => {
    await using components = await open();
    assert.match(
      components.problems.join(),
      /tells supported and not enough info apart, and never/,
    );
  });
});

Deno.test("Requirement 1.3: with 8-bit the cosine verifier, whose thresholds were fitted to floats, keeps them, and that is reported", async () => {
  const { problems } = await ready(
    { openVerifier },
    "name: made\nquantisation: 8-bit\nverifier: { kind: cosine }\n",
    {
      encoder: () => Promise.resolve(fakeEncoder((text) => [1, text.length])),
    },
  );
  assert.match(problems.join(), /^Verifier \(cosine\): it keeps the precision/);
});

Deno.test("Requirement 12.3: openComponents() opens a fine-tuned cross-encoder by its file", () =>
  opened("verifier: { kind: cross-encoder, path: tiny.gguf }", async (open) => {
    await using components = await open();
    const { verifier } = components;
    const [said] = await verifier.verify(["Claim."], [sourcePassage("Tells tells tells.")]);
    assert.ok(said?.kind === "scored");
    assert.ok(said.probabilities.supported > said.probabilities.refuted);
    assert.match(String(verifier.settings["weightsSha256"]), /^[0-9a-f]{64}$/);
  }));
