import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { DEFAULT_RUN_CONFIG as CONFIG } from "./configuration.ts";
import { configHash, displayOrder, rowEvalHash, rowInputHash } from "./hashes.ts";
import { keyHash } from "./preparation/run_files.ts";
import type { ItemEvaluation } from "./types.ts";

const RUN = { runId: "run", configSha256: "c", keySha256: "k" };
const INPUT = { itemId: 1, source: "Good morning", translations: ["Guten Morgen", "Moin"] };

const EVALUATION: ItemEvaluation = {
  itemId: 1,
  displayMap: [1, 0],
  ratings: [{ bucket: "best", da: 90 }, { bucket: undefined, da: "x" }],
  comment: "fine",
  startedAt: "2026-01-31T09:30:00.000Z",
  committedAt: undefined,
  editCount: 2,
  activeSeconds: 12.3,
  highlightSeconds: 0,
  idleSeconds: 0,
};

const PRACTICE = { source: "S", translations: [{ text: "T", bucket: "best", da: 9, why: "W" }] };
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

Deno.test("NFR-1: hashes are SHA-256 of every field, written out by hand here as in data/translation/README.md", () => {
  const input = '["inputs",1,"Good morning",["Guten Morgen","Moin"]]';
  assert.equal(rowInputHash(INPUT), sha256(input));
  assert.equal(rowInputHash({ ...INPUT, document: 3 }), sha256(`${input.slice(0, -1)},3]`));
  const row = '["eval","run","c","k",1,"i","{\\"1\\":\\"t2\\",\\"2\\":\\"t1\\"}",' +
    '[["best",90],[null,"x"]],"fine","2026-01-31T09:30:00.000Z",null,2,12.3,0]';
  assert.equal(rowEvalHash(RUN, EVALUATION, "i"), sha256(row));
  const context = { place: 2, of: 5, before: "B", after: "" };
  const around = `${input.slice(0, -1)},3,[2,5,"B",""]]`;
  assert.equal(rowInputHash({ ...INPUT, document: 3, context }), sha256(around));
  const more = { ...EVALUATION, idleSeconds: 7.5 };
  const who = { ...RUN, rater: "anna" };
  const idle = `${row.slice(0, -1)},"anna",null,"idle",7.5]`;
  assert.equal(rowEvalHash(who, more, "i"), sha256(idle));
  assert.equal(
    rowEvalHash({ ...who, batch: "2" }, EVALUATION, "i"),
    sha256(`${row.slice(0, -1)},"anna","2"]`),
  );
  const instructions = { de: "D", a: "A" };
  const changed = { ...CONFIG, numTranslations: 1, instructions, practice: [PRACTICE] };
  const config =
    '["config",1,0,100,true,[["best","Best"],["good","Good"],["ok","OK"],["poor","Poor"]],' +
    'true,true,null,null,[["a","A"],["de","D"]],[["S",[["T","best",9,"W"]]]]]';
  assert.equal(configHash(changed), sha256(config));
  assert.equal(
    configHash({ ...changed, practicePass: 0.8 }),
    sha256(`${config.slice(0, -1)},0.8]`),
  );
  const place = { segment: "s", document: "d", systems: ["A"] };
  const attention = { kind: "attention", of: 1, translation: 0, spoiledBy: "cut" } as const;
  const roles = [{ kind: "rated" }, { kind: "repeat", of: 1 }, attention] as const;
  const keyItems = roles.map((role, index) => ({ ...place, itemId: index + 1, role }));
  const run = { runId: "run", secret: "00", assignment: "per_run", systems: ["A"] } as const;
  const items = '[1,"s","d",["A"],"rated",null],[2,"s","d",["A"],"repeat",1],' +
    '[3,"s","d",["A"],"attention",1,0,"cut"]';
  assert.equal(
    keyHash({ ...run, items: keyItems }),
    sha256(`["key","run","00","per_run",["A"],[${items}]]`),
  );
});

Deno.test("FR-4: displayOrder() is a permutation of 0 … N−1 for any run, item and N", () => {
  const size = fc.integer({ min: 1, max: 60 });
  fc.assert(fc.property(fc.string(), fc.nat(), size, (run, item, n) => {
    const order = displayOrder(run, item, n);
    assert.deepEqual(order.toSorted((a, b) => a - b), [...Array(n).keys()]);
  }));
});

/** The 99.9 % point of chi-square, 121 degrees of freedom (Wilson–Hilferty). */
const CHI_SQUARE_121 = 175.2;

Deno.test("FR-4: displayOrder() puts each translation at each position alike often", () => {
  const [runs, n] = [12_000, 12];
  const counts: number[] = Array(n * n).fill(0);
  for (let run = 0; run < runs; run++) {
    for (const [position, translation] of displayOrder(`run ${run}`, run % 300 + 1, n).entries()) {
      counts[position * n + translation]! += 1;
    }
  }
  const expected = runs / n;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  assert.ok(chiSquare < CHI_SQUARE_121, `chi-square ${chiSquare.toFixed(1)}`);
});
