import assert from "node:assert/strict";
import { readTable, writeTable } from "../../lib/pairs/keyed_table.ts";
import { lockAnswers } from "../../lib/pairs/panels/lock.ts";
import { LIKELIHOOD_TABLE } from "../../lib/pairs/likelihood_rows.ts";
import { pairsHash, readRunSettings, writeRunSettings } from "../../lib/pairs/run_settings.ts";
import { inFolder } from "../../lib/pairs/testdata/folder.ts";
import { studyIn } from "../../lib/pairs/testdata/study.ts";
import type { GeneratedContrasts } from "../../lib/sanskrit/contrasts/generate.ts";
import { contrastSets } from "../../lib/sanskrit/contrasts/write_generated.ts";
import { SOURCES } from "../../lib/sanskrit/contrasts/testdata/generated.ts";
import { generateSanskrit, type SanskritWorld } from "./sanskrit.ts";

const SETTINGS = { seed: 42, targetSize: 12, maxStems: 20 };
const SOME = { ...SOURCES, treebank: SOURCES.treebank.slice(0, 120) };

/** A world in a folder; `written` and `printed` tell what was done. */
function worldIn(folder: string) {
  const written: GeneratedContrasts[] = [];
  const printed: string[] = [];
  const world: SanskritWorld = {
    sources: SOME,
    studies: { pairs: studyIn(`${folder}/pairs`), probes: studyIn(`${folder}/probes`) },
    readPresent: () => contrastSets(written.at(-1)!),
    write: (generated) => void written.push(generated),
    print: (line) => void printed.push(line),
  };
  return { world, written, printed };
}

/** Lets a model have scored pairs with this hash. */
function recordAnswer(
  { files }: SanskritWorld["studies"]["pairs"],
  pairsSha256: string,
  ids: readonly string[] = ["morph_0001"],
): void {
  Deno.mkdirSync(files.likelihoods.replace(/\/[^/]+$/, ""), { recursive: true });
  const member = { logProbability: -1, tokens: 2, bytes: 9 };
  const rows = ids.map((pairId) => ({
    ...{ model: "m", pairId, grammatical: member, ungrammatical: member },
  }));
  writeTable(files.likelihoods, LIKELIHOOD_TABLE, rows);
  writeRunSettings(files.likelihoodSettings, { m: { task: { pairsSha256 }, model: {} } });
}

Deno.test("generateSanskrit() writes the sets and says what they hold", () =>
  inFolder((_, folder) => {
    const { world, written, printed } = worldIn(folder);
    generateSanskrit({ settings: SETTINGS, replace: false }, world);
    assert.equal(written.length, 1);
    assert.equal(written[0]?.aStems.set.items.length, 12);
    assert.match(
      printed[0] ?? "",
      /^a- and ā-stems: 8 of 8 case contrasts \(\d+ candidates\), 4 of 4/,
    );
    assert.match(printed.at(-1) ?? "", /^\d+ control sentences, \d+ bare forms$/);
  }));

Deno.test("generateSanskrit() writes nothing where answers belong to other pairs, and names them", () =>
  inFolder((_, folder) => {
    const { world, written } = worldIn(folder);
    for (const study of [world.studies.pairs, world.studies.probes]) {
      recordAnswer(study, "another");
      assert.throws(
        () => generateSanskrit({ settings: SETTINGS, replace: false }, world),
        /^Error: Cannot write these pairs: .*answers of m recorded in .*With --replace/s,
      );
    }
    assert.equal(written.length, 0);
  }));

Deno.test("generateSanskrit() keeps with --replace the answers to pairs that stay, under their new ids", () =>
  inFolder((_, folder) => {
    const { world, written, printed } = worldIn(folder);
    generateSanskrit({ settings: SETTINGS, replace: false }, world);
    const before = contrastSets(written[0]!);
    const pairs = before.main.map(({ pair }) => pair);
    const { files } = world.studies.pairs;
    recordAnswer(world.studies.pairs, pairsHash(pairs), pairs.map(({ id }) => id));
    const fewer = { ...SETTINGS, targetSize: 6 };
    const again = { ...world, readPresent: () => before };
    generateSanskrit({ settings: fewer, replace: true }, again);
    const now = contrastSets(written[1]!).main.map(({ pair }) => pair);
    const { rows } = readTable(files.likelihoods, LIKELIHOOD_TABLE);
    const asked = (pair: { readonly grammatical: string; readonly ungrammatical: string }) =>
      pair.grammatical + pair.ungrammatical;
    const stay = now.filter((pair) => pairs.some((old) => asked(old) === asked(pair)));
    assert.ok(stay.length > 0);
    assert.deepEqual(rows.map(({ pairId }) => pairId), stay.map(({ id }) => id));
    assert.ok(printed.some((line) => line.includes(`${stay.length} kept`)), printed.join("\n"));
    // What was kept belongs to the pairs that are there.
    assert.equal(readRunSettings(files.likelihoodSettings).m?.task.pairsSha256, pairsHash(now));
  }));

Deno.test("generateSanskrit() writes nothing while another process adds to the answers", () =>
  inFolder((_, folder) => {
    const { world, written } = worldIn(folder);
    using _other = lockAnswers(world.studies.pairs.lock);
    assert.throws(
      () => generateSanskrit({ settings: SETTINGS, replace: true }, world),
      /another process is doing so/,
    );
    assert.equal(written.length, 0);
  }));

Deno.test("generateSanskrit() writes the same pairs again beside their answers", () =>
  inFolder((_, folder) => {
    const { world, written } = worldIn(folder);
    generateSanskrit({ settings: SETTINGS, replace: false }, world);
    const { main } = contrastSets(written[0]!);
    recordAnswer(world.studies.pairs, pairsHash(main.map(({ pair }) => pair)));
    generateSanskrit({ settings: SETTINGS, replace: false }, world);
    assert.equal(written.length, 2);
  }));
