import assert from "node:assert/strict";
import { test } from "node:test";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { robustnessOptions } from "./options.ts";

const COMMON = { configuration: FACTUALITY_PATHS.configuration, threads: 2 };

test("robustnessOptions() reads all parts, one of them, BBQ, and a text of somebody's own", () => {
  assert.deepEqual(robustnessOptions([]), {
    ...COMMON,
    kind: "parts",
    parts: ["perturbations", "orders", "repetitions", "swaps"],
  });
  assert.deepEqual(robustnessOptions(["--only", "swaps", "--threads", "1"]), {
    ...COMMON,
    ...{ kind: "parts", parts: ["swaps"], threads: 1 },
  });
  assert.deepEqual(robustnessOptions(["--bbq", "b.jsonl", "--config", "mine.yaml"]), {
    ...COMMON,
    ...{ kind: "bbq", file: "b.jsonl", configuration: "mine.yaml" },
  });
  assert.deepEqual(robustnessOptions(["--candidate", "c.txt", "--source", "s.txt"]), {
    ...COMMON,
    ...{ kind: "own text", candidate: "c.txt", source: "s.txt" },
  });
});

test("robustnessOptions() names what is wrong, and what there is", () => {
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [["--only", "order"], /--only is "order"; there are perturbations, orders/],
    [["--only", "swaps", "--bbq", "b"], /name at most one/],
    [["--candidate", "c"], /--candidate and --source go together/],
    [["--source", "s"], /go together/],
    [["--threads", "0"], /--threads is "0"/],
    [["--all"], /Unknown option '--all'/],
  ];
  for (const [args, message] of refused) assert.throws(() => robustnessOptions(args), message);
});
