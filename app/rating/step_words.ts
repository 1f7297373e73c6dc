import type { Session } from "../../lib/translation/session/session.ts";
import { ratingWords } from "./rating_words.ts";

/** What an undo or redo that was just made changed, and the row where, by display position. */
export function stepWords(
  { past, future, workbook, current, config }: Session,
  deed: "undo" | "redo",
): { readonly words: string; readonly position: number } {
  const done = deed === "undo" ? "Undone" : "Done again";
  const step = (deed === "undo" ? future : past).at(-1);
  const translation = Number(/^(?:bucket|da) (\d+)$/.exec(step?.field ?? "")?.[1]);
  const { displayMap, ratings } = workbook.items[current]!.evaluation;
  const rating = ratings[translation];
  if (!rating) return { words: `${done}: the comment.`, position: 0 };
  const position = displayMap.indexOf(translation);
  return { words: `${done}: row ${position + 1}, ${ratingWords(rating, config)}.`, position };
}
