import type { GazetteerEntry } from "../features/gazetteer.ts";
import type { FactbookField } from "./factbook_fields.ts";

/** Names that a country goes by in other books; the factbook keeps to one. */
const USUAL_NAMES: Readonly<Record<string, readonly string[]>> = {
  "United States": ["US", "U.S.", "USA", "America", "Americans"],
  "United Kingdom": ["UK", "U.K.", "Britain", "Great Britain", "British", "Britons"],
  "United Arab Emirates": ["UAE"],
  Burma: ["Myanmar"],
  "Turkey (Turkiye)": ["Turkey", "Türkiye", "Turkish"],
  Netherlands: ["Holland", "Dutch"],
};

/**
 * Countries with their long names, adjectives and words for their people, so that a swapped country
 * is seen as one. The factbook writes endings in brackets: "Frenchman(men), Frenchwoman(women)".
 */
export function countryGazetteer(fields: readonly FactbookField[]): readonly GazetteerEntry[] {
  return [...Map.groupBy(fields, ({ country }) => country)].map(([name, own]) => {
    const said = own.filter(isName).flatMap(({ text }) => namesOf(text));
    const also = [...said, ...(USUAL_NAMES[name] ?? [])].filter((other) => other !== name);
    return { name, type: "country", also: [...new Set(also)].sort() };
  }).filter(({ name }) => name !== "World");
}

function isName({ field, subfield }: FactbookField): boolean {
  return field === "Nationality" && /^(?:noun|adjective)$/u.test(subfield) ||
    field === "Country name" && subfield === "conventional long form";
}

function namesOf(text: string): readonly string[] {
  return text.split(/[,;]| or | and /u).flatMap((part) => {
    const name = part.replace(/\(.*$/u, "").trim();
    const plural = /^\p{Lu}[\p{L}' -]*\(s\)/u.test(part.trim()) ? [`${name}s`] : [];
    return /^\p{Lu}[\p{L}'. -]+$/u.test(name) ? [name, ...plural] : [];
  });
}
