import assert from "node:assert/strict";
import type { StructuredModel } from "../../models/structured_model.ts";
import { promptTemplates } from "../judges/prompts.ts";
import type { Judge, Judgement } from "../judges/judgement.ts";
import type { Verdict } from "../verdicts/verdict.ts";
import type { Verifier } from "../verifiers/verifier.ts";
import { assembleComponents, ComponentsError } from "./assemble_components.ts";
import type { ComponentMakers } from "./ready_components.ts";
import { parseEvaluationConfiguration } from "./evaluation_configuration.ts";
import type { OpenJudge } from "./open_judge.ts";
import type { Opening } from "./opening.ts";

const PROMPTS = promptTemplates(
  "templates:\n  - name: factual_accuracy\n    description: d\n    answer: score\n    text: |-\n" +
    "      {{source}} {{candidate}} {{answer_format}}\n",
  "p.yaml",
);

const CONFIGURATION = `
name: made
verifier: { kind: overlap }
retrieval: { kind: factbook }
judges:
  - { id: one, kind: gguf, path: one.gguf, licence: MIT }
  - { id: two, kind: gguf, path: two.gguf, licence: MIT, required: true }
`;

function openingOf(yaml: string): Opening {
  return {
    configuration: parseEvaluationConfiguration(yaml, "made.yaml"),
    cacheDirectory: ".cache",
    env: ".env",
    threads: 1,
    resources: new AsyncDisposableStack(),
    prompts: PROMPTS,
    calibrationOf: () => undefined,
    problems: [],
    groqCalls: () => assert.fail("no host is configured"),
    encoder: () => assert.fail("no encoder is needed"),
    clearCaches: () => Promise.resolve(),
    tell: () => {},
  };
}

const PROVENANCE = { producedBy: "made", modelSha256: undefined, promptSha256: undefined };

function verifierSaying(supported: number): Verifier {
  const verdict: Verdict = {
    kind: "scored",
    label: "supported",
    probabilities: { supported, refuted: 0.25, "not enough info": 0.25 },
    ...{ evidence: [], findings: [], parse: "not parsed", reasoning: "", provenance: PROVENANCE },
  };
  return {
    name: "made",
    settings: {},
    verify: (claims) => Promise.resolve(claims.map(() => verdict)),
  };
}

const SCORED: Judgement = {
  ...{ kind: "scored", score: 80, reasoning: "", flagged: [], parse: "complete" },
  provenance: PROVENANCE,
};

function unscored(reason: "malformed answer" | "time-out"): Judgement {
  return {
    kind: "unscored",
    reason,
    message: "It says nothing.",
    partialText: "",
    provenance: PROVENANCE,
  };
}

function judgeSaying(name: string, judgement: Judgement, weight = 1): OpenJudge {
  const judge: Judge = {
    ...{ name, settings: {}, weight, measured: undefined, concurrency: 1 },
    judge: () => Promise.resolve(judgement),
  };
  return { judge, writes: undefined, likelihood: undefined };
}

const GOOD: ComponentMakers = {
  openVerifier: () => Promise.resolve(verifierSaying(0.5)),
  openRetriever: () =>
    Promise.resolve({ name: "base", settings: {}, retrieve: () => Promise.resolve([]) }),
  openJudge: ({ id }) => Promise.resolve(judgeSaying(id, SCORED)),
};

const assemble = (makers: Partial<ComponentMakers>, yaml = CONFIGURATION) =>
  assembleComponents(openingOf(yaml), { ...GOOD, ...makers }, "made.yaml");

/** The problems for which nothing was opened. */
async function problemsOf(makers: Partial<ComponentMakers>, yaml?: string) {
  try {
    await assemble(makers, yaml);
  } catch (error) {
    assert.ok(error instanceof ComponentsError);
    return error.problems;
  }
  return assert.fail("it was opened");
}

const failing = (message: string) => () => Promise.reject(new Error(message));

Deno.test("assembleComponents() gives what the configuration says", async () => {
  const components = await assemble({});
  assert.equal(components.aggregation, "weighted average");
  assert.equal(components.lowConfidenceVariance, 20);
  assert.deepEqual(components.judges.map(({ name }) => name), ["one", "two"]);
  assert.equal(components.splitter.name, "rules");
  assert.equal(components.retriever?.name, "base");
  assert.deepEqual([components.problems, components.retrieverProblem], [[], undefined]);
  assert.equal(components.promptsSha256, PROMPTS.sha256);
});

Deno.test("Requirement 1.4: what may be missing is left out, and told by name and reason", async () => {
  const components = await assemble({
    openRetriever: failing("Cannot open the knowledge base: x."),
    openJudge: ({ id }) =>
      id === "one"
        ? failing("one.gguf cannot be read")()
        : GOOD.openJudge({ id } as never, {} as never),
  });
  assert.deepEqual(components.judges.map(({ name }) => name), ["two"]);
  assert.deepEqual(components.problems, ["Judge (one, gguf): one.gguf cannot be read"]);
  assert.equal(components.retriever, undefined);
  assert.equal(
    components.retrieverProblem,
    "Knowledge base (factbook): Cannot open the knowledge base: x.",
  );
});

Deno.test("Requirement 1.4: what must be there stops it, with everything that failed", async () => {
  const problems = await problemsOf({
    openVerifier: failing("weights.json is no weights file"),
    openRetriever: failing("gone"),
    openJudge: ({ id }) => failing(`${id}.gguf cannot be read`)(),
  }, CONFIGURATION.replace("factbook", "factbook, required: true") + "criteria: [wit]\n");
  assert.match(problems[0]!, /^Prompt wit: the prompts file has factual_accuracy; add an entry/);
  assert.deepEqual(problems.slice(1), [
    "Verifier (overlap): weights.json is no weights file",
    "Knowledge base (factbook): gone",
    "Judge (two, gguf): two.gguf cannot be read",
    "Judge (one, gguf): one.gguf cannot be read",
  ]);
});

Deno.test("Requirement 1.5: a verifier without probabilities is not ready", async () => {
  const [nan] = await problemsOf({ openVerifier: () => Promise.resolve(verifierSaying(NaN)) });
  assert.match(nan!, /^Verifier \(overlap\): its probabilities for a plain claim are NaN/);
  const [sum] = await problemsOf({ openVerifier: () => Promise.resolve(verifierSaying(0.9)) });
  assert.match(sum!, /0\.9, 0\.25, 0\.25$/);
  const silent: Verifier = { name: "x", settings: {}, verify: () => Promise.resolve([]) };
  const [few] = await problemsOf({ openVerifier: () => Promise.resolve(silent) });
  assert.match(few!, /it gave 0 verdicts on 2 claims/);
});

Deno.test("Requirement 1.5: a judge that answers badly stays, one that does not answer is left out", async () => {
  const openJudge: ComponentMakers["openJudge"] = ({ id }) =>
    Promise.resolve(judgeSaying(id, unscored(id === "one" ? "time-out" : "malformed answer")));
  const { judges, problems } = await assemble({ openJudge });
  assert.deepEqual(judges.map(({ name }) => name), ["two"]);
  assert.deepEqual(problems, [
    "Judge (one, gguf): it gave no score on a small task: It says nothing.",
    "Judge (two, gguf): it gave no score on a small task: It says nothing.",
  ]);
});

Deno.test("assembleComponents() gives judges the same weight where none has any", async () => {
  const { judges, problems } = await assemble({
    openJudge: ({ id }) => Promise.resolve(judgeSaying(id, SCORED, 0)),
  });
  assert.deepEqual(judges.map(({ weight }) => weight), [1, 1]);
  assert.match(problems[0]!, /No judge has been measured to be better than chance/);
});

Deno.test("assembleComponents() wants a judge that writes for a language-model splitter", async () => {
  const yaml = `${CONFIGURATION}splitter: { kind: language-model, judge: one }\n`;
  const [prompt, problem] = await problemsOf({}, yaml);
  assert.match(prompt!, /^Prompt claim_splitting: /);
  assert.match(problem!, /^Splitter \(language-model\): one is not there, or does not write; /);
});

Deno.test("Requirement 9.2: a language-model splitter has the time of the judge that it asks", async () => {
  const yaml = `${CONFIGURATION}splitter: { kind: language-model, judge: one }\n`
    .replace("path: one.gguf", "path: one.gguf, timeoutSeconds: 0.01");
  const claims = "  - name: claim_splitting\n    description: d\n    answer: claims\n" +
    '    text: "{{candidate}} {{answer_format}}"\n';
  const prompts = promptTemplates(
    "templates:\n  - name: factual_accuracy\n    description: d\n    answer: score\n" +
      `    text: "{{candidate}} {{answer_format}}"\n${claims}`,
    "p.yaml",
  );
  const writes: StructuredModel = {
    ...{ name: "one", settings: {}, concurrency: 1 },
    ask: (_, { signal } = {}) =>
      new Promise((resolve) =>
        signal?.addEventListener(
          "abort",
          () => resolve({ kind: "failure", message: "stopped", partialText: undefined }),
        )
      ),
  };
  const makers: ComponentMakers = {
    ...GOOD,
    openJudge: ({ id }) => Promise.resolve({ ...judgeSaying(id, SCORED), writes }),
  };
  const opening = { ...openingOf(yaml), prompts };
  const { splitter } = await assembleComponents(opening, makers, "made.yaml");
  assert.equal(splitter.settings["timeoutSeconds"], 0.01);
  await assert.rejects(splitter.split("Elk swim."), /no whole answer within 0\.01 s/);
});
