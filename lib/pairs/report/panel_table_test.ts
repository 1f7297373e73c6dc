import assert from "node:assert/strict";
import { parsePanel } from "../../models/panel.ts";
import { panelTable } from "./panel_table.ts";

Deno.test("panelTable() lists a server of one's own beside the models of this machine", () => {
  const { models } = parsePanel(
    "name: mine\ngeneration: {temperature: 0, maxReplyTokens: 64}\nmodels:\n" +
      "  - {id: a, kind: gguf, path: a.gguf, roles: [chat], licence: x}\n" +
      "  - {id: b, kind: openai-compatible, baseUrl: 'http://127.0.0.1:1/v1', model: b,\n" +
      "     roles: [chat, likelihood], concurrency: 2, licence: y}\n",
    "mine.yaml",
  );
  const [, , first, second] = panelTable(models).split("\n");
  assert.match(first ?? "", /^\| a \| chat \| generation \| .* \| x \|$/);
  assert.equal(
    second,
    "| b | chat, likelihood | generation | at a server of one's own | y |",
  );
});
