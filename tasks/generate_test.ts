import assert from "node:assert/strict";
import { lockAnswers } from "../lib/pairs/study.ts";
import { inFolder } from "../lib/pairs/testdata/folder.ts";
import { studyIn } from "../lib/pairs/testdata/study.ts";
import type { GeneratedContrasts } from "../lib/sanskrit/generate.ts";
import { SOURCES } from "../lib/sanskrit/testdata/fixtures.ts";
import { exitCodeOf } from "./command.ts";
import { generateSanskrit, TASK } from "./generate.ts";

const SETTINGS = { seed: 42, targetSize: 12, maxStems: 20 };
const SOME = { ...SOURCES, treebank: SOURCES.treebank.slice(0, 120) };

Deno.test("generateSanskrit() writes the sets and says what they hold, unless answers are being added", () =>
  inFolder((_, folder) => {
    const [written, printed] = [[] as GeneratedContrasts[], [] as string[]];
    const world = {
      ...{ sources: SOME, lock: studyIn(folder).lock },
      write: (generated: GeneratedContrasts) => void written.push(generated),
      print: (line: string) => void printed.push(line),
    };
    {
      using _other = lockAnswers(world.lock);
      assert.throws(() => generateSanskrit(SETTINGS, world), /another process is doing so/);
      assert.equal(written.length, 0);
    }
    generateSanskrit(SETTINGS, world);
    assert.equal(written[0]?.aStems.set.items.length, 12);
    assert.match(printed[0] ?? "", /^the set: \d+ of \d+ case contrasts \(\d+ candidates\), \d/);
    assert.match(printed.at(-1) ?? "", /^\d+ control sentences$/);
  }));

Deno.test("generate refuses what it cannot take: other words, other numbers, the other study's options", async () => {
  assert.equal(await exitCodeOf(TASK, ["--help"]), 0);
  const lines = ["--source LLM", "--study latin", "--study sanskrit --target-size 0"];
  for (const line of [...lines, "--study sanskrit --source rules", "--max-stems 5"]) {
    assert.equal(await exitCodeOf(TASK, line.split(" ")), 1, line);
  }
});
