/** Variants of a text by one rule, and the names used in them. */
import { choose, type RandomSource } from "../../../stats/random.ts";
import { gazetteerOf } from "../../features/words.ts";
import { countryGazetteer, type FactbookField } from "../../retrieval/factbook.ts";
import * as control from "./controls.ts";
import * as perturbation from "./perturbations.ts";
import { applyChange, type VariantKind, type VariantRule, type VariantTools } from "./variant.ts";

const RULES: Readonly<Record<VariantKind, VariantRule>> = {
  date: perturbation.shiftDate,
  place: perturbation.swapPlace,
  number: perturbation.shiftNumber,
  digits: perturbation.exchangeDigits,
  name: perturbation.swapName,
  negation: perturbation.flipNegation,
  quantifier: perturbation.swapQuantifier,
  roles: perturbation.swapRoles,
  unit: perturbation.swapUnit,
  paraphrase: control.paraphrase,
  synonym: control.useSynonym,
  order: control.reorder,
  "number format": control.reformatNumber,
  "date format": control.reformatDate,
  "unit converted": control.convertUnit,
  spelling: control.respell,
};

/** A text after one change, with the original and the new words. */
export interface Variant {
  readonly kind: VariantKind;
  readonly text: string;
  readonly from: string;
  readonly to: string;
}

/** Makes a variant of one kind; undefined where no rule applies. Deterministic. */
export function makeVariant(
  kind: VariantKind,
  text: string,
  tools: VariantTools,
  random: RandomSource,
): Variant | undefined {
  const changes = RULES[kind](text, tools, random) ?? [];
  const change = "to" in changes
    ? changes
    : changes.length === 0
    ? undefined
    : choose(random, changes);
  if (change === undefined) return undefined;
  const [from, { to }] = [text.slice(change.start, change.end), change];
  return from === to ? undefined : { kind, text: applyChange(text, change), from, to };
}

/** Collects names from a knowledge base for variants. */
export function knowledgeTools(fields: readonly FactbookField[]) {
  const states = fields.filter(({ field, subfield, text }) =>
    field === "Independence" && subfield === "" && /\d{3}/u.test(text) && !/^none/u.test(text)
  );
  const people = fields.filter(({ field }) => /^(?:Background|Military)/u.test(field))
    .flatMap(({ text }) => perturbation.peopleIn(usualFamilyNames(text)));
  return {
    gazetteer: gazetteerOf(countryGazetteer(fields)),
    states: states.map(({ country, region }) => ({ name: country, region })),
    people: [...new Set(people)].sort(),
  };
}

/** Adds people and towns from a user's texts. */
export function toolsForUserText(
  tools: Omit<VariantTools, "about" | "source">,
  { candidate, source }: Readonly<Record<"candidate" | "source", string>>,
): VariantTools {
  const { people, towns } = perturbation.namesOfText(`${candidate}\n${source}`);
  const countries = new Set(tools.states.map(({ name }) => name));
  return {
    ...tools,
    people: [...new Set([...tools.people, ...people.filter((name) => !countries.has(name))])]
      .sort(),
    towns: towns.filter((name) => !countries.has(name)),
    about: "",
    source,
  };
}

/**
 * Rewrites family names in capitals, a habit of the factbook ("Charles DE GAULLE"). Models should
 * not learn it. Abbreviations, which follow no given name, stay.
 */
export function usualFamilyNames(text: string): string {
  const families = new Set<string>();
  const plain = text.replace(GIVEN_AND_FAMILY, (whole, given: string, name: string) => {
    const words = name.split(/[\s-]+/u);
    if (NO_GIVEN_NAME.test(given) || words.every((word) => word.length < 4)) return whole;
    words.filter((word) => word.length >= 4).forEach((word) => families.add(word));
    return whole.slice(0, -name.length) + titleCase(name);
  });
  return plain.replace(/\p{Lu}{4,}/gu, (word) => (families.has(word) ? titleCase(word) : word));
}

const GIVEN_AND_FAMILY =
  /(\p{Lu}\p{Ll}+) (?:\p{Lu}\. |al-|bin |ibn )?(\p{Lu}{2,}(?:[ -]\p{Lu}{2,})*)(?![\p{L}.])/gu;
const NO_GIVEN_NAME =
  /^(?:The|In|On|By|And|With|For|From|After|Under|Since|Both|When|While|As|Its)$/u;

const titleCase = (name: string) =>
  name.replace(/\p{L}+/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());
