import assert from "node:assert/strict";
import { inBothOrders } from "../../pairs/artefacts.ts";
import { pairGroups } from "../../pairs/groups.ts";
import type { DatasetItem } from "../../pairs/dataset.ts";
import { readNorseDataset } from "./dataset.ts";
import {
  CLASS_LAYOUT,
  DIRECTIONS,
  LAYOUT,
  NORMALISED_SPELLING,
  norseParts,
  VARIANT_IN_SAGA,
  VARIANT_NOT_IN_SAGA,
} from "./evidence.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";
import { SENTENCES } from "./tables.ts";

type Item = DatasetItem<Phenomenon>;

const ITEMS = readNorseDataset();

/** The same pairs with members exchanged, like a reverse set. */
const REVERSE: readonly Item[] = ITEMS
  .filter(({ pair }) =>
    !["weak_to_strong", "strong_to_weak", "active_to_middle"].includes(pair.errorType)
  )
  .map(({ pair, certificate }) => {
    const { grammatical, ungrammatical } = pair;
    const id = pair.id.replace("ON_", "ONR_");
    const turned = { grammatical: ungrammatical, ungrammatical: grammatical };
    return { pair: { ...pair, ...turned, id }, certificate: { ...certificate, pairId: id } };
  });

Deno.test("the normalised spelling is ǫ, and -sk or -zk at a word's end", () => {
  const { prefer } = NORMALISED_SPELLING;
  assert.equal(prefer("Hann tók hǫnd hans.", "Hann tók hand hans."), "first");
  assert.equal(prefer("Þeir berja.", "Þeir berjask."), "second");
  assert.equal(prefer("Þeir settuzk niðr, ok fór.", "Þeir settu niðr, ok fór."), "first");
  // Neither within a word nor in the edition's spelling; and as many in both is a tie.
  assert.equal(prefer("Ek vil eskja.", "Ek vil."), "tie");
  assert.equal(prefer("Þeir berjast með höndum.", "Þeir berja með handum."), "tie");
  assert.equal(prefer("ǪNDVEGI", "andvegi"), "first");
});

Deno.test("a liking for the normalised spelling wins u-umlaut and middle voice, and is worth a half over both directions", () => {
  const { choose } = inBothOrders(NORMALISED_SPELLING);
  const shareOf = (items: readonly Item[], phenomenon: Phenomenon) => {
    const group = items.filter(({ pair }) => pair.phenomenon === phenomenon);
    const right = group.filter(({ pair }) => choose(pair) === "grammatical").length;
    const ties = group.filter(({ pair }) => choose(pair) === "tie").length;
    return (right + ties / 2) / group.length;
  };
  for (const phenomenon of ["UMLAUT", "MIDDLE_VOICE"] as const) {
    const isForward = ({ pair }: Item) => pair.errorType !== "active_to_middle";
    const [forward, reverse] = [
      shareOf(ITEMS.filter(isForward), phenomenon),
      shareOf(REVERSE, phenomenon),
    ];
    assert.ok(forward > 0.95, `${phenomenon} ${forward}`);
    assert.ok(Math.abs((forward + reverse) / 2 - 0.5) < 1e-12);
  }
});

Deno.test("norseParts() divides the pairs without loss, each direction by itself", () => {
  const parts = norseParts(ITEMS, [], SENTENCES.read());
  const groups = pairGroups({ items: ITEMS, further: REVERSE, phenomena: PHENOMENA, parts });
  const strata = new Map(
    [...groups.designed, ...groups.parts].map(({ phenomenon, items }) => [phenomenon, items()]),
  );
  const size = (...names: readonly string[]) =>
    names.reduce((sum, name) => sum + strata.get(name)!.length, 0);
  assert.equal(size("UMLAUT.lost_u", "UMLAUT.kept_u", "UMLAUT.breaking"), size("UMLAUT"));
  assert.equal(size("ADJECTIVE.forward", "ADJECTIVE.reverse"), size("ADJECTIVE"));
  const removed = REVERSE.filter(({ pair }) => pair.phenomenon === "MIDDLE_VOICE").length;
  assert.equal(size("MIDDLE_VOICE.forward"), removed);
  assert.equal(size("MIDDLE_VOICE.reverse"), size("MIDDLE_VOICE"));
  const roles = ["subject", "experiencer", "benefactive"].map((role) => `QUIRKY_CASE.${role}`);
  // The made reverse pairs keep the marks of their forward ones.
  assert.equal(size(...roles), 2 * size("QUIRKY_CASE"));
  const lengths = ["longer", "same", "shorter"].map((word) => `characters.${word}`);
  assert.equal(size(...lengths), ITEMS.length);
  assert.equal(size("both"), ITEMS.length + REVERSE.length);
  assert.equal(size(VARIANT_IN_SAGA, VARIANT_NOT_IN_SAGA), size("both"));
  const toMiddle = size("MIDDLE_VOICE.reverse") - removed;
  assert.equal(size("reverse"), REVERSE.length + size("ADJECTIVE.reverse") + toMiddle);
  // Four phenomena, two directions each.
  assert.equal(new Set(strata.get("both")!.map(({ stratum }) => stratum)).size, 8);
  // Every column of a table has its rows, the classes with the reverse pairs of their phenomenon.
  for (const { rowsOf } of DIRECTIONS) {
    const columns = [LAYOUT, CLASS_LAYOUT].flatMap(({ groupNames }) => Object.keys(groupNames));
    assert.deepEqual(columns.filter((group) => !strata.has(rowsOf(group))), []);
  }
  assert.equal(size("UMLAUT.lost_u.both"), size("UMLAUT.lost_u", "UMLAUT.reverse"));
});

Deno.test("norseParts() tells variants that are words of the saga from those that are not", () => {
  const [first] = ITEMS as [Item];
  const partOf = (variant: string, normalised: string) => {
    const ungrammatical = first.pair.grammatical.replace(first.pair.target, variant);
    const item = { ...first, pair: { ...first.pair, ungrammatical } };
    const parts = norseParts([item], [], [{ normalised }]);
    return parts.filter(({ name, has }) => name.startsWith("variant.") && has(item))
      .map(({ name }) => name);
  };
  assert.deepEqual(partOf("maðr", "Gamall Maðr."), [VARIANT_IN_SAGA]);
  assert.deepEqual(partOf("maðr", "Menn."), [VARIANT_NOT_IN_SAGA]);
});
