import { withoutSecrets } from "../../models/hosted/redaction.ts";

/** What went wrong in one evaluation and was passed over; each sentence once. */
export interface ProblemLog {
  add(sentence: string): void;
  readonly sentences: readonly string[];
}

/** Opens a log that begins with what is known already. */
export function openProblemLog(known: readonly string[] = []): ProblemLog {
  const sentences = [...new Set(known)];
  return {
    add(sentence) {
      if (!sentences.includes(sentence)) sentences.push(sentence);
    },
    sentences,
  };
}

/** What an error says, on one line and without keys or addresses. */
export function errorWords(error: unknown): string {
  const words = error instanceof Error ? error.message || error.name : String(error);
  return withoutSecrets(words.replace(/\s+/g, " ").trim(), []);
}
