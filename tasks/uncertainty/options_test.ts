import assert from "node:assert/strict";
import { uncertaintyOptions } from "./options.ts";

Deno.test("uncertaintyOptions() asks both models 100 questions six times unless told", () => {
  const { questions, samples, models, threads } = uncertaintyOptions([]);
  assert.deepEqual([questions, samples, models.length, threads], [100, 6, 2, 2]);
  assert.deepEqual(uncertaintyOptions(["--only", "gemma"]).models, ["gemma-3-270m"]);
});

Deno.test("uncertaintyOptions() refuses a single sample and a model that there is not", () => {
  assert.throws(() => uncertaintyOptions(["--samples", "1"]), /--samples is "1"/);
  assert.throws(() => uncertaintyOptions(["--only", "llama"]), /part of no name/);
  assert.throws(() => uncertaintyOptions(["--question", "9"]), SyntaxError);
});
