import assert from "node:assert/strict";
import { DEFAULT_RUN_CONFIG } from "../run_config.ts";
import { lengthFigure } from "./length_figure.ts";
import { prepareRun } from "./prepare_run.ts";
import { keyTable, scriptTable, unusualItemTable, unusualSystemTable } from "./tables.ts";

function run(...translations: readonly string[]) {
  const systems = translations.map((_, index) => `system ${index}`);
  const segments = [{ segment: "1", document: "d", source: "One", translations }];
  return prepareRun({ systems, segments }, {
    ...{ runId: "5f0c8a52-6a5e-4d3e-9a2f-3d1f6f0b7c11", seed: 1, secret: "ab".repeat(16) },
    config: { ...DEFAULT_RUN_CONFIG, numTranslations: systems.length },
  });
}

Deno.test("unusualSystemTable() has a row for each system that something stands out about", () => {
  assert.equal(unusualSystemTable(run("Eins", "Ein").report), "No system’s outputs stand out.");
  const [, , ...rows] = unusualSystemTable(run("", "Eins", "Eins", "Ein\x07s", "Hier").report)
    .split("\n");
  assert.deepEqual(rows, [
    "| system 0 | 1 | 0 | 0 | 0 | 0 |",
    "| system 1 | 0 | 1 | 0 | 0 | 0 |",
    "| system 2 | 0 | 1 | 0 | 0 | 0 |",
    "| system 3 | 0 | 1 | 1 | 0 | 0 |",
  ]);
});

Deno.test("unusualItemTable() counts different texts as the rater sees them, once mended", () => {
  const table = unusualItemTable(run("Eins", "Ein\x07s", "Один", "Zwei").report, 4);
  assert.equal(table.split("\n").at(-1), "| 1 | 3 | 0 | Latin | 1 |");
});

Deno.test("scriptTable() names the direction of each script", () => {
  const rows = scriptTable(run("واحد", "אחת").report).split("\n").slice(2);
  assert.deepEqual(rows, [
    "| sources | Latin | left to right | 1 |",
    "| translations | Arabic | right to left | 1 |",
    "| translations | Hebrew | right to left | 1 |",
  ]);
});

Deno.test("keyTable() lists an item from the top of the page to its bottom", () => {
  const { key } = run("Eins", "Zwei", "Drei");
  const [of0, of1, of2] = key.items[0]!.systems;
  assert.deepEqual(keyTable(key, 1, [2, 0, 1]).split("\n").slice(2), [
    `| 1 | t3 | ${of2} |`,
    `| 2 | t1 | ${of0} |`,
    `| 3 | t2 | ${of1} |`,
  ]);
});

Deno.test("lengthFigure() says in its alternative text which system is shortest and longest", () => {
  const { alt } = lengthFigure(run("abcd", "abcdefgh", "abcdefghijklmnop").report);
  assert.match(alt, /Shortest: system 0, 0\.50; longest: system 2, 2\.00\./);
});
