import type { RandomSource } from "../../stats/random.ts";
import type { Passage } from "../retrieval/passage.ts";
import type { VerdictLabel } from "../verdicts/verdict.ts";
import type { CountryMaterial, PlacedStatement } from "./country_material.ts";
import type { KnowledgeCase } from "./knowledge_case.ts";
import { choose } from "./random_choice.ts";

/** Where and when another sentence's end says something happened. */
const DETAIL =
  / ((?:in|during|since|after|with|from|near|under|because of|along) [^,;.:()]{6,45})\.?$/u;

/** A detail out of another passage of the country; undefined where no sentence ends in one. */
export function detailFor(
  material: CountryMaterial,
  placed: PlacedStatement,
  random: RandomSource,
): string | undefined {
  const others = material.prose.filter(({ passage }) => passage.section !== placed.passage.section);
  const details = others.flatMap(({ statement }) => DETAIL.exec(statement.source)?.[1] ?? []);
  return details.length > 0 ? choose(random, details) : undefined;
}

/**
 * A claim with a detail that its source has not is not borne out; where the source has the detail
 * too, it is. Both, so that the detail alone tells nothing.
 */
export function detailCases(
  supported: KnowledgeCase,
  detail: string,
  told: readonly Passage[],
): readonly KnowledgeCase[] {
  const claim = withDetail(supported.claim, detail);
  const made = (label: VerdictLabel, passages: readonly Passage[]) => ({
    ...supported,
    id: `${supported.id}/detail/${label}`,
    claim,
    label,
    passages,
    edit: "detail",
  });
  return [made("not enough info", supported.passages), made("supported", told)];
}

/** The sentence with the detail before its full stop. */
export function withDetail(sentence: string, detail: string): string {
  const [, text = "", end = ""] = /^(.*?)([\s.;]*)$/su.exec(sentence)!;
  return `${text} ${detail}${end}`;
}
