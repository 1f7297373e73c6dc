import assert from "node:assert/strict";
import { fineTuneOptions } from "./options.ts";

Deno.test("fineTuneOptions() has the seed of the knowledge claims, two rounds, one thread", () => {
  assert.deepEqual(fineTuneOptions([]), { seed: 41, epochs: 2, threads: 1 });
  assert.deepEqual(fineTuneOptions(["--seed", "0", "--epochs", "3", "--threads", "2"]), {
    ...{ seed: 0, epochs: 3, threads: 2 },
  });
});

Deno.test("fineTuneOptions() names what is wrong", () => {
  assert.throws(() => fineTuneOptions(["--epochs", "0"]), /--epochs is "0"/);
  assert.throws(() => fineTuneOptions(["--rounds", "3"]), /deno task finetune/);
});
