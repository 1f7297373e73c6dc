import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inFolder } from "../lib/files/testdata/folder.ts";
import { EXIT, exitCodeOf, type Runnable } from "./command.ts";
import { STUDY } from "./study.ts";
import { TASK as JUDGES } from "./studies/judges.ts";
import { TRAIN } from "./train.ts";

/** Returns the exit code of a command, and its error output. */
async function outputOf(command: Runnable, ...words: readonly string[]) {
  const [said, error, log]: [string[], typeof console.error, typeof console.log] = [
    [],
    console.error,
    console.log,
  ];
  console.error = (text: string) => void said.push(text);
  console.log = () => {};
  try {
    return { code: await exitCodeOf(command, words), said: said.join("\n") };
  } finally {
    Object.assign(console, { error, log });
  }
}

Deno.test("an old name says the new one on the error output, and does the same", () =>
  inFolder(async (folder) => {
    const out = join(folder, "exports");
    const { code, said } = await outputOf(STUDY, "export", "--study", "norse", "--out", out);
    assert.equal(
      said,
      "`deno task study export` is now `deno task export`; the old name goes with the next version.",
    );
    assert.equal(code, EXIT.done);
    assert.ok(existsSync(join(out, "norse", "README.md")));
  }));

Deno.test("only a user's half of a study's command has another name", async () => {
  const moved = [
    [STUDY, "uncertainty --queries=q.jsonl", "factcheck uncertainty"],
    [STUDY, "abstention --answers a.jsonl", "factcheck abstention"],
    [STUDY, "robustness --candidate a.txt", "factcheck robustness"],
    [STUDY, "compare --cases mine.csv", undefined],
    [TRAIN, "verifier", "factcheck train verifier"],
    [TRAIN, "network", "factcheck train network"],
    [TRAIN, "judges --cases mine.csv", "factcheck train judges"],
    [TRAIN, "judges", "study judges"],
    [STUDY, "robustness", undefined],
    [STUDY, "abstention", undefined],
  ] as const;
  for (const [command, line, now] of moved) {
    // Help is all that is asked for.
    const { code, said } = await outputOf(command, ...line.split(" "), "--help");
    const name = /is now `deno task ([^`]+)`/.exec(said)?.[1];
    assert.deepEqual([code, name], [EXIT.done, now], line);
  }
});

Deno.test("study judges refuses options of the large verifier without it, before anything else", () =>
  inFolder(async (folder) => {
    const out = join(folder, "out");
    for (const words of [["--keep-prompt"], ["--large", "--cases", "mine"], ["--config", "mine"]]) {
      assert.equal((await outputOf(JUDGES, ...words, "--out", out)).code, EXIT.failed);
      assert.ok(!existsSync(out));
    }
  }));
