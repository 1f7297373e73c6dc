import type { Texts } from "../../lib/translation/texts.ts";
import type { Evaluation, RatingWorkbook } from "../../lib/translation/types.ts";
import type { Autosave, SavedSession } from "../storage/autosave.ts";

/** The browser's own copy of a run, where it says something else. */
export async function findRecovery(
  workbook: RatingWorkbook,
  autosave: Autosave,
): Promise<SavedSession | undefined> {
  const saved = await autosave.find(workbook.runId);
  return saved && fits(saved, workbook) && differs(saved, workbook) ? saved : undefined;
}

/** How many sentences of a workbook were confirmed by Next. */
function confirmedCount({ items }: RatingWorkbook): number {
  return items.filter(({ evaluation }) => evaluation.committedAt !== undefined).length;
}

/** `3 of 20 sentences done` */
export function doneWords(workbook: RatingWorkbook, texts: Texts): string {
  return texts("doneOf", { done: confirmedCount(workbook), n: workbook.items.length });
}

/** Whether no item of a workbook was ever opened. */
export function isFresh({ items }: RatingWorkbook): boolean {
  return items.every(({ evaluation }) => evaluation.startedAt === undefined);
}

/**
 * Whether the copy has more confirmed sentences, or as many and is newer; of a fresh file always.
 */
export function aheadOf(
  saved: SavedSession,
  file: { readonly workbook: RatingWorkbook; readonly writtenAt: string },
): boolean {
  if (isFresh(file.workbook)) return true;
  const more = confirmedCount(saved.workbook) - confirmedCount(file.workbook);
  return more > 0 || more === 0 && saved.savedAt > file.writtenAt;
}

function fits({ workbook: saved, configSha256 }: SavedSession, file: RatingWorkbook): boolean {
  const textsOf = ({ items }: RatingWorkbook) =>
    items.map(({ input }) => input.rowInputHash).join();
  return configSha256 === file.configSha256 && saved.keySha256 === file.keySha256 &&
    textsOf(saved) === textsOf(file);
}

/** Whether ratings, comments or confirmations differ; time alone is not worth a question. */
function differs(saved: SavedSession, workbook: RatingWorkbook): boolean {
  const content = ({ ratings, comment, committedAt }: Evaluation) =>
    JSON.stringify([ratings.map(({ bucket, da }) => [bucket, da]), comment, committedAt]);
  return workbook.items.some(({ evaluation }, index) =>
    content(evaluation) !== content(saved.workbook.items[index]!.evaluation)
  );
}
