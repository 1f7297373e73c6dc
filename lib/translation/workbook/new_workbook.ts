import { configHash, rowInputHash } from "../hashes.ts";
import { type InputRow, type RatedItem, type RatingWorkbook, UNRATED } from "../item.ts";
import { displayOrder } from "../order.ts";
import type { RunConfig } from "../run_config.ts";
import { canonicalInput } from "./canonical_workbook.ts";
import { isUuid } from "./run_columns.ts";

/** What a new workbook is made with. */
export interface NewWorkbookOptions {
  /** UUID of the run. */
  readonly runId: string;
  readonly config: RunConfig;
  /** SHA-256 of the sealed key; empty where there is none. */
  readonly keySha256: string;
}

/**
 * A workbook that nobody has rated: items in the order of their numbers, texts in canonical form,
 * hashes and display orders computed.
 *
 * Throws RangeError for no items, item numbers that are not whole, positive and different, a number
 * of translations other than the configuration's, a text too long for a cell, or a bad run_id.
 */
export function newWorkbook(
  items: readonly Omit<InputRow, "rowInputHash">[],
  { runId, config, keySha256 }: NewWorkbookOptions,
): RatingWorkbook {
  const fail = (reason: string) => new RangeError(`Cannot make a workbook: ${reason}.`);
  if (!isUuid(runId)) throw fail(`the run_id ${runId} is no UUID`);
  if (items.length === 0) throw fail("there are no items");
  const seen = new Set<number>();
  for (const { itemId, translations } of items) {
    if (!Number.isSafeInteger(itemId) || itemId < 1) {
      throw fail(`the item_id ${itemId} is no whole number from 1`);
    }
    if (seen.has(itemId)) throw fail(`the item_id ${itemId} is there twice`);
    seen.add(itemId);
    if (translations.length !== config.numTranslations) {
      throw fail(
        `item ${itemId} has ${translations.length} translations, not ${config.numTranslations}`,
      );
    }
  }
  const configSha256 = configHash(config);
  const inOrder = items.toSorted((a, b) => a.itemId - b.itemId);
  const unratedItems = inOrder.map((item, index) => unrated(item, runId, index));
  return { runId, configSha256, keySha256, items: unratedItems };
}

function unrated(item: Omit<InputRow, "rowInputHash">, runId: string, index: number): RatedItem {
  const input = canonicalInput({ ...item, rowInputHash: "" }, index + 2);
  const n = input.translations.length;
  return {
    input: { ...input, rowInputHash: rowInputHash(input) },
    evaluation: {
      itemId: item.itemId,
      displayMap: displayOrder(runId, item.itemId, n),
      ratings: Array.from({ length: n }, () => UNRATED),
      comment: "",
      startedAt: undefined,
      committedAt: undefined,
      editCount: 0,
      activeSeconds: 0,
      highlightSeconds: 0,
    },
  };
}
