import assert from "node:assert/strict";
import { join } from "node:path";
import { parseOptions } from "./options.ts";

Deno.test("parseOptions() reads one text, and a batch, each with a folder of its own", () => {
  assert.deepEqual(parseOptions(["--candidate", "a/b.txt", "--source", "s.txt"]), {
    kind: "one",
    config: "data/factuality/evaluation.yaml",
    out: join(".cache", "factcheck", "b.txt"),
    candidate: "a/b.txt",
    source: "s.txt",
    question: "",
  });
  const batch = parseOptions(["--batch", "x.csv", "--concurrency", "4", "--out", "o"]);
  assert.deepEqual(batch, {
    kind: "batch",
    config: "data/factuality/evaluation.yaml",
    out: "o",
    batch: "x.csv",
    concurrency: 4,
  });
});

Deno.test("parseOptions() names what is wrong and where to look", () => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /either --candidate or --batch/],
    [["--candidate", "a", "--batch", "b.csv"], /either/],
    [["--batch", "b.xlsx"], /neither \.jsonl nor \.csv/],
    [["--batch", "b.csv", "--concurrency", "0"], /no number from 1/],
    [["--batch", "b.csv", "--source", "s"], /--source belongs to --candidate/],
    [["--candidate", "a", "--concurrency", "2"], /--concurrency belongs to --batch/],
    [["--nonsense"], /deno task factcheck:/],
  ];
  for (const [args, message] of wrong) assert.throws(() => parseOptions(args), message);
});
