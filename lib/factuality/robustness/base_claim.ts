import { randomSource } from "../../stats/random.ts";
import type { FactbookField } from "../retrieval/factbook_fields.ts";
import type { Passage } from "../retrieval/passage.ts";
import { type CountryMaterial, countryMaterial } from "../training/country_material.ts";
import { splitCountries } from "../training/country_split.ts";
import { factStatement } from "../training/fact_statements.ts";
import { KNOWLEDGE_SEED } from "../training/knowledge_claims.ts";
import { choose } from "../training/random_choice.ts";

/** A claim that its source bears out, about a country that nothing was trained on. */
export interface BaseClaim {
  /** `fr/p12` for running text, `fr/f3` for a value of a structured field. */
  readonly id: string;
  readonly country: string;
  /** Whether it is a sentence of running text, and not a value of a structured field. */
  readonly isProse: boolean;
  readonly text: string;
  /** The passage of the knowledge base that says so, as it stands there. */
  readonly passage: Passage;
}

/** Begins with what only the sentence before it explains. */
const LEANS_BACK =
  /^(?:However|In addition|Additionally|Also|Since then|Moreover|As a result|The latter|Despite|Although|Both|Such|Other|Another|Instead|Nevertheless|Therefore|Thus|One|In response|Afterwards?|Later|Meanwhile)\b|\b(?:the latter|the former|respectively)\b/u;

const [FEWEST_WORDS, MOST_WORDS] = [6, 40];

/** All claims about held-out countries that stand on their own: sentences as they are, values in a phrasing by lot. */
export function baseClaims(fields: readonly FactbookField[]): readonly BaseClaim[] {
  const countries = countryMaterial(fields);
  const splits = splitCountries(countries.map(({ code }) => code), KNOWLEDGE_SEED);
  return countries.filter(({ code }) => splits.get(code) === "test")
    .flatMap((material) => [...proseClaims(material), ...factClaims(material)]);
}

function proseClaims({ code, country, prose }: CountryMaterial): readonly BaseClaim[] {
  return prose.flatMap(({ statement, passage }, index) => {
    const words = statement.claim.split(" ").length;
    const standsAlone = /^\p{Lu}/u.test(statement.source) && !LEANS_BACK.test(statement.claim) &&
      words >= FEWEST_WORDS && words <= MOST_WORDS && /[.]$/u.test(statement.claim);
    const isWhole = statement.claim.split("(").length === statement.claim.split(")").length;
    const claim = { country, isProse: true, text: statement.claim, passage };
    return standsAlone && isWhole ? [{ id: `${code}/p${index}`, ...claim }] : [];
  });
}

/** "Prices rose by -1%", "0 km of coast": true, but nobody says so. */
const ODD_VALUE = /^(?:-|0 )/u;

function factClaims({ code, country, facts, passages }: CountryMaterial): readonly BaseClaim[] {
  // "Gaza, Gaza Strip" fits into no phrasing.
  if (country.includes(",")) return [];
  return facts.flatMap((fact, index) => {
    const passage = passages.find(({ section, text }) =>
      section === fact.field.field && text.includes(fact.field.text)
    );
    if (passage === undefined || ODD_VALUE.test(fact.value)) return [];
    const phrasing = choose(randomSource(`${code}/${index}/phrasing`), fact.template.phrasings);
    const { claim } = factStatement(fact, fact.value, phrasing);
    return [{ id: `${code}/f${index}`, country, isProse: false, text: claim, passage }];
  });
}
