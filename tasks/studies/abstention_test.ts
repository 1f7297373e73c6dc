import assert from "node:assert/strict";
import { dirname, resolve } from "node:path";
import { ABSTENTION_CONCEPTS } from "../../lib/studies/factuality/generation/tables.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { conceptTables } from "./abstention.ts";

Deno.test("study abstention --concepts of one's own leaves the study's rates in data/ alone", () => {
  const { answers, rates } = conceptTables();
  for (const { path } of [answers, rates]) {
    assert.ok(path.startsWith(FACTUALITY_PATHS.cache), path);
  }
  // They were written so, as its help says.
  const study = conceptTables(dirname(ABSTENTION_CONCEPTS.path));
  assert.equal(study.rates.path, resolve(ABSTENTION_CONCEPTS.path));
  assert.equal(study.answers.path, answers.path);
});
