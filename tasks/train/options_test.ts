import assert from "node:assert/strict";
import { trainOptions } from "./options.ts";

Deno.test("trainOptions() takes several files, a logistic three-way head unless told", () => {
  const options = trainOptions(["--cases", "fever:a.jsonl", "--cases", "b.csv"]);
  assert.deepEqual(options.sources, [
    { format: "fever", path: "a.jsonl" },
    { format: "file", path: "b.csv" },
  ]);
  const { labels, features, hidden, classWeights } = options.settings;
  assert.deepEqual([labels, features, hidden, classWeights], [
    ...["three-way", "readable", 0, "balanced"],
  ]);
  assert.equal(options.settings.l2, 0.001);
  assert.equal(trainOptions(["--synthetic", "--features", "both"]).settings.l2, 0.1);
  assert.deepEqual(options.shares, { test: 0.25, development: 0.15 });
});

Deno.test("trainOptions() gives a head with hidden units where one is asked for", () => {
  const { settings } = trainOptions([
    ...["--synthetic", "--head", "mlp", "--hidden", "8", "--labels", "binary"],
    ...["--class-weights", "as-found", "--l2", "0", "--features", "both", "--seed", "0"],
  ]);
  assert.deepEqual([settings.hidden, settings.labels, settings.classWeights], [
    ...[8, "binary", "as found"],
  ]);
  assert.deepEqual([settings.l2, settings.features, settings.seed], [0, "both", 0]);
});

Deno.test("trainOptions() wants something to train on, and says what an option may be", () => {
  const refuse = (...args: string[]) => () => trainOptions(args);
  assert.throws(refuse(), /give --cases FILE, --synthetic or both; or --study/);
  assert.throws(refuse("--study", "--synthetic"), RangeError);
  assert.throws(refuse("--synthetic", "--head", "tree"), /--head is "tree"; it is logistic or mlp/);
  assert.throws(
    refuse("--synthetic", "--test-share", "2"),
    /--test-share is "2", not a number from/,
  );
  assert.throws(refuse("--synthetic", "--hidden", "0", "--head", "mlp"), /--hidden is "0"/);
  assert.throws(refuse("--synthetic", "--units", "3"), SyntaxError);
});
