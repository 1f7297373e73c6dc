/** What language a text is in: every component here reads English alone. */

/** Shorter Latin texts, names mostly, are taken for any language. */
const LEAST_LETTERS = 25;

/** So far (of 1) English must be behind: a sentence of foreign names is closer than that. */
const LEAST_LEAD = 0.15;

/** The name of a text's language; undefined for English, and for what is too short or mixed. */
export async function foreignLanguage(text: string): Promise<string | undefined> {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const isLatin = /\p{Script=Latin}/u.test(text);
  if (letters === 0 || isLatin && letters < LEAST_LETTERS) return undefined;
  const { default: detector } = await import("eld/small");
  const found = detector.detect(text);
  const { [found.language]: best = 0, en: english = 0 } = found.getScores();
  if (!found.isReliable() || best - english < LEAST_LEAD) return undefined;
  return new Intl.DisplayNames("en", { type: "language" }).of(found.language);
}
