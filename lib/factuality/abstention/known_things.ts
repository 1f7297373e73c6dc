import type { FactbookField } from "../retrieval/factbook_fields.ts";
import type { QueryKind } from "./query_kinds.ts";

/** Names of things that exist, by kind; only the part that a kind's pattern leaves open. */
export type KnownThings = Readonly<Record<QueryKind, readonly string[]>>;

/** What the factbook has no list of: widely known things whose names have the invented ones' form. */
const LISTED = {
  species: [
    ...["Komodo dragon", "Andean condor", "Tasmanian devil", "Bengal tiger", "Arctic fox"],
    ...["Galapagos penguin", "Atlantic puffin", "Nile crocodile", "Amur leopard", "Gila monster"],
  ],
  treaty: [
    ...["Versailles", "Utrecht", "Tordesillas", "Maastricht", "Waitangi", "Ghent", "Lausanne"],
    ...["Trianon", "Nanking", "Portsmouth"],
  ],
  battle: [
    ...["Waterloo", "Hastings", "Gettysburg", "Stalingrad", "Trafalgar", "Marathon", "Agincourt"],
    ...["Lepanto", "Verdun", "Austerlitz"],
  ],
  film: [
    ...["Casablanca", "Titanic", "Jaws", "Inception", "Psycho", "Gladiator", "Vertigo"],
    ...["Amadeus", "Rashomon", "Metropolis"],
  ],
} as const;

/** Countries, capitals, rivers, lakes, languages and heads of state of the factbook, and the lists. */
export function knownThings(fields: readonly FactbookField[]): KnownThings {
  const of = (field: string, subfield?: string) =>
    fields.filter((one) => one.field === field && (subfield ?? one.subfield) === one.subfield)
      .map(({ text }) => text);
  return {
    ...LISTED,
    country: named(fields.map(({ country }) => country)),
    city: named(of("Capital", "name").map(withoutNotes)),
    river: named(listed(of("Major rivers (by length in km)")).map(withoutType)).filter(isOneWord),
    lake: named(listed(of("Major lakes (area sq km)")).map(withoutType)).filter(isOneWord),
    language: named(
      of("Languages", "Languages").flatMap((text) => text.split(/[,;]/u))
        .map(withoutNotes).map((text) => text.replace(/\s*\d.*$/u, "")),
    ),
    person: named(of("Executive branch", "chief of state").map(headOfState)),
  };
}

/** Plain names once each, in order: neither lists nor explanations. */
function named(names: readonly string[]): readonly string[] {
  const plain = names.map((name) => name.trim())
    .filter((name) => /^\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2}$/u.test(name));
  return [...new Set(plain)].sort();
}

const listed = (texts: readonly string[]) => texts.flatMap((text) => text.split(/[;]/u));

/** Without brackets, lengths and notes: "Draa - 1,100 km". */
function withoutNotes(text: string): string {
  return text.replace(/\s+-\s.*$/u, "").replace(/\s*[([].*$/u, "").trim();
}

/** Of more words most are in languages that say river or lake once more: "Hovsgol Nuur". */
const isOneWord = (name: string) => /^\p{L}+$/u.test(name);

/** "Lake Tanganyika" and "Amazon river source" are asked about by the pattern of their kind. */
function withoutType(text: string): string {
  return withoutNotes(text).replace(/^(?:Lake|Rio|River|Lago(?: de)?|Laguna(?: de)?)\s/u, "")
    .replace(/\s(?:river|River)\b.*$/u, "");
}

/** "President Abdelmadjid TEBBOUNE (since 2019)": given name and surname, this in capitals there. */
function headOfState(text: string): string {
  const title = /^(?:President|King|Queen|Emir|Sultan|Prince) /u;
  const [, given, family] =
    /^(\p{Lu}\p{Ll}+) (\p{Lu}{3,}) \(since/u.exec(text.replace(title, "")) ?? [];
  return given === undefined ? "" : `${given} ${family![0]}${family!.slice(1).toLowerCase()}`;
}
