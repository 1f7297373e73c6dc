import assert from "node:assert/strict";
import { parsePanel } from "../../models/panel.ts";
import { likelihoodPanel } from "./likelihood_panel.ts";

Deno.test("likelihoodPanel() has the models that give likelihoods, in that role alone", () => {
  const panel = parsePanel(
    "name: mine\nmodels:\n" +
      "  - {id: both, kind: gguf, path: a.gguf, roles: [chat, likelihood], licence: x}\n" +
      "  - {id: asked, kind: gguf, path: b.gguf, roles: [chat], licence: x}\n",
    "mine.yaml",
  );
  const { name, models } = likelihoodPanel(panel);
  assert.equal(name, "mine");
  assert.deepEqual(models, [{ ...panel.models[0], roles: ["likelihood"] }]);
});
