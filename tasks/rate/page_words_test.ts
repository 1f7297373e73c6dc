import assert from "node:assert/strict";
import { DEFAULT_RUN_CONFIG, parseRunConfig } from "../../lib/translation/run_config.ts";
import { pageWords } from "./page_words.ts";

Deno.test("pageWords() says what a rater will be asked, and where that is written", () => {
  const config = parseRunConfig("source_language: en\ntarget_language: de", "run.yaml");
  assert.equal(
    pageWords(config, "run.yaml"),
    "page for 12 translations a sentence, 0–100, Best/Good/OK/Poor, en → de " +
      "(configuration run.yaml)",
  );
});

Deno.test("pageWords() leaves languages out where nobody said them, and marks the one that lacks", () => {
  const words = "page for 12 translations a sentence, 0–100, Best/Good/OK/Poor";
  assert.equal(pageWords(DEFAULT_RUN_CONFIG, "run.yaml"), `${words} (configuration run.yaml)`);
  const half = { ...DEFAULT_RUN_CONFIG, targetLanguage: "ar" };
  assert.equal(pageWords(half, "run.yaml"), `${words}, ? → ar (configuration run.yaml)`);
});
