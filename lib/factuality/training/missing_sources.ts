import type { RandomSource } from "../../stats/random.ts";
import type { Passage } from "../retrieval/passage.ts";
import type { Making } from "./making.ts";
import { chance, choose } from "./random_choice.ts";
import { composeSources, type SourceForm } from "./sources.ts";

/** Why a source does not tell: the statement was taken out, or it is about something else. */
export type Missing = "removed" | "other topic" | "other country";

/** Another topic or another country, as likely. */
export function elsewhere(random: RandomSource): Missing {
  return chance(random, 0.5) ? "other topic" : "other country";
}

/** Sources that do not speak of it: other fields of the country, or the same field of another. */
export function otherSources(
  { material, kin }: Making,
  missing: Missing,
  form: SourceForm,
  ownSection: string,
  random: RandomSource,
): readonly Passage[] {
  const { passages, country } = missing === "other country" ? kin : material;
  const candidates = missing === "other country"
    ? passages.filter(({ section }) => section === ownSection)
    : passages.filter(({ section }) => section !== ownSection);
  const passage = choose(random, candidates.length > 0 ? candidates : passages);
  return composeSources(form, {
    before: [],
    target: passage.text,
    after: [],
    title: country,
    section: passage.section,
    others: passages.filter(({ id, section }) => id !== passage.id && section !== ownSection),
  }, random);
}
