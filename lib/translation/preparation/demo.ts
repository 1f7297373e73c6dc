import type { PreparationOptions } from "./preparation_options.ts";

/**
 * How the demonstration's run is drawn. Its secret is published here on purpose, and reads
 * "demonstration, so not a secret": who has the repository can know the key. A real run takes
 * `newSecret()` and `crypto.randomUUID()` instead.
 */
export const DEMO_OPTIONS: Omit<PreparationOptions, "config"> = {
  runId: "7d0c5e1a-31f4-4d6b-9a70-0f1e2d3c4b5a",
  secret: "64656d6f6e7374726174696f6e2c20736f206e6f74206120736563726574",
  seed: 31,
  items: 20,
  repeats: 6,
  attentionChecks: 3,
  minDistance: 6,
};
