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

Deno.test("the committed pairs: more than 300, ids counting up, at most two a line, none twice", () => {
  const { main, iStems } = readContrastSets();
  assert.ok(main.length > 300, `${main.length} pairs`);
  main.forEach(({ pair: { id } }, index) => {
    assert.equal(id, `morph_${String(index + 1).padStart(4, "0")}`);
  });
  for (const items of [main, iStems]) {
    const perLine = Map.groupBy(
      items,
      ({ pair, certificate: { source } }) => JSON.stringify([source, pair.grammatical]),
    );
    for (const [place, own] of perLine) assert.ok(own.length <= 2, place);
    const changed = items.map(({ pair }) => pair.ungrammatical);
    assert.equal(new Set(changed).size, changed.length);
  }
});

Deno.test("every committed sentence, form and control is legal Devanagari, members never equal", () => {
  const { main, iStems, controls } = readContrastSets();
  const records = [...main.map(({ record }) => record), ...iStems.map(({ record }) => record)];
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
  const found = [...shown].map(({ groups }) => {
    const { phenomenon, target, variant, verse } = groups!;
    const isShown = ({ pair, certificate: { source } }: typeof main[number]) =>
      pair.phenomenon === phenomenon && pair.target === target &&
      pair.ungrammatical.split(" ").includes(variant!) &&
      `${source.chapter}.${source.sentence}` === verse;
    assert.ok(main.some(isShown), `${verse} ${target} → ${variant}`);
    return phenomenon;
  });
  assert.deepEqual(found, [...PHENOMENA]);
});
