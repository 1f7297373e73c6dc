import { keyHash } from "../hashes.ts";
import type { RatingWorkbook } from "../item.ts";
import type { SealedKey } from "./key.ts";
import { inOneLine } from "./faults.ts";

/**
 * Makes sure that a key is the one that was sealed for a workbook.
 *
 * Throws Error that names every way in which the two do not fit: another run, another hash (the key
 * was changed after sealing, or another one was put in its place), items that only one of them has,
 * another number of translations.
 */
export function checkKey(key: SealedKey, workbook: RatingWorkbook): void {
  const faults = keyFaults(key, workbook);
  if (faults.length > 0) throw new Error(`Cannot use the key: ${inOneLine(faults)}.`);
}

/** Every way in which a key and a workbook do not fit; none where the key was sealed for it. */
export function keyFaults(key: SealedKey, workbook: RatingWorkbook): readonly string[] {
  const hash = keyHash(key);
  const inKey = new Set(key.items.map(({ itemId }) => itemId));
  const inWorkbook = new Set(workbook.items.map(({ input }) => input.itemId));
  const n = workbook.items[0]?.input.translations.length;
  return [
    ...key.runId === workbook.runId
      ? []
      : [`the key is of run ${key.runId}, the workbook of run ${workbook.runId}`],
    ...workbook.keySha256 === hash ? [] : [
      workbook.keySha256 === ""
        ? "the workbook was made without a sealed key"
        : `the key's SHA-256 is ${hash}, the workbook was sealed with ${workbook.keySha256}: the ` +
          "key was changed since, or is another one",
    ],
    ...itemsMissing("the key", inWorkbook.difference(inKey)),
    ...itemsMissing("the workbook", inKey.difference(inWorkbook)),
    ...n === key.systems.length
      ? []
      : [`the key has ${key.systems.length} systems, the workbook ${n} translations an item`],
  ];
}

function itemsMissing(where: string, items: ReadonlySet<number>): string[] {
  return items.size === 0 ? [] : [`${where} lacks item ${[...items].join(", ")}`];
}
