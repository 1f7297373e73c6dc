import assert from "node:assert/strict";
import { inFolder } from "../../pairs/testdata/folder.ts";
import {
  generateContrasts,
  GENERATED_FILES,
  readSources,
  TARGET_PAIRS,
  writeGenerated,
} from "./generate.ts";
import { PHENOMENA } from "./contrasts.ts";
import { readContrastSets } from "./probes.ts";
import { illegalSequence } from "./sounds.ts";
import { MAX_STEMS, PAIR_SEED, SANSKRIT_PATHS } from "./study.ts";

Deno.test("generation gives the committed files from the committed sources, to the byte", () =>
  inFolder((at) => {
    const settings = { seed: PAIR_SEED, targetSize: TARGET_PAIRS, maxStems: MAX_STEMS };
    const paths = GENERATED_FILES.map((name) => [name, at(name)] as const);
    const files = Object.fromEntries(paths) as Record<typeof GENERATED_FILES[number], string>;
    writeGenerated(generateContrasts(readSources(), settings), files);
    for (const name of GENERATED_FILES) {
      const committed = Deno.readTextFileSync(SANSKRIT_PATHS[name]);
      assert.ok(Deno.readTextFileSync(files[name]) === committed, SANSKRIT_PATHS[name]);
    }
  }));

Deno.test("the committed pairs: 480 to 520, ids counting up, at most two a line, none twice", () => {
  const { main } = readContrastSets();
  assert.ok(main.length >= 480 && main.length <= 520, `${main.length} pairs`);
  main.forEach(({ pair: { id } }, index) => {
    assert.equal(id, `morph_${String(index + 1).padStart(4, "0")}`);
  });
  const perLine = Map.groupBy(main, ({ pair }) => pair.grammatical);
  for (const [line, items] of perLine) {
    assert.ok(items.length <= 2, line);
    // A line that two verses share is tested in one of them: its folds are those of one verse.
    assert.equal(new Set(items.map(({ pair }) => pair.context)).size, 1, line);
  }
  const changed = main.map(({ pair }) => pair.ungrammatical);
  assert.equal(new Set(changed).size, changed.length);
});

Deno.test("the committed pairs by phenomenon: case and number are half and more, in many cells and every stem class", () => {
  const { main } = readContrastSets();
  const of = (phenomenon: string) => main.filter(({ pair }) => pair.phenomenon === phenomenon);
  const n = Object.fromEntries(PHENOMENA.map((name) => [name, of(name).length]));
  assert.ok(n.case! >= 200, `${n.case} of case`);
  assert.ok(n.number! > 60, `${n.number} of number`);
  assert.ok(n.case! + n.number! >= main.length / 2);
  assert.ok(n.verb_agreement! <= 120 && n.adjective_agreement! <= 90);
  assert.ok(n.declension! >= 120 && n.declension! <= 150, `${n.declension} of declension`);
  const cells = of("case").map(({ certificate }) => certificate.cellFrom.slice(0, 6));
  for (const number of ["sg", "pl"]) {
    const numberCells = new Set(cells.filter((cell) => cell.endsWith(number)));
    assert.ok(numberCells.size >= 5, `${[...numberCells]}`);
  }
  const classes = new Set(of("case").map(({ record }) => record.metadata.stem_class));
  for (const name of ["a-stem", "ā-stem", "i-stem", "u-stem", "in-stem"]) {
    assert.ok(classes.has(name), name);
  }
});

Deno.test("a dual that agrees with two joined subjects: the certificate names both", () => {
  const { main } = readContrastSets();
  const [dual, ...others] = main.filter(({ certificate: { rule, cellFrom } }) =>
    rule.startsWith("SK_VERB") && cellFrom === "3.du"
  );
  assert.equal(others.length, 0);
  assert.match(dual!.certificate.checks.join("; "), /mādhavaḥ and pāṇḍavaḥ are its two subjects/u);
  assert.match(dual!.certificate.explanation, /माधवः and पाण्डवः/u);
});

Deno.test("every committed sentence, form and control is legal Devanagari, members never equal", () => {
  const { main, controls } = readContrastSets();
  const records = main.map(({ record }) => record);
  for (const { grammatical, ungrammatical } of [...records, ...controls]) {
    assert.notEqual(grammatical, ungrammatical);
    assert.equal(illegalSequence(`${grammatical} ${ungrammatical}`), undefined);
  }
});

Deno.test("the pairs that docs/sanskrit.md shows are in the set, one of each phenomenon", () => {
  const page = Deno.readTextFileSync(new URL("../../../docs/sanskrit.md", import.meta.url));
  const shown = page.matchAll(
    /^\| (?<phenomenon>[a-z_]+) .*?\*\*(?<target>[^*]+)\*\*.*\\\*\*\*(?<variant>[^*]+)\*\*.*?\((?<verse>[\d.]+);/gmu,
  );
  const { main } = readContrastSets();
  const phenomena = [...shown].map(({ groups }) => {
    const { phenomenon, target, variant, verse } = groups!;
    const isShown = ({ pair, certificate: { source } }: typeof main[number]) =>
      pair.phenomenon === phenomenon && pair.target === target &&
      pair.ungrammatical.split(" ").includes(variant!) &&
      `${source.chapter}.${source.sentence}` === verse;
    assert.ok(main.some(isShown), `${verse} ${target} → ${variant}`);
    return phenomenon;
  });
  assert.deepEqual(phenomena, [...PHENOMENA]);
});
