import { choose } from "../../training/random_choice.ts";
import { DENIES } from "./denies.ts";
import { oneOf, type VariantRule } from "../variant.ts";

/** Organisations that stand in each other's place in a sentence: with an article, and without. */
const ORGANISATIONS: readonly (readonly string[])[] = [
  ["UN", "EU", "IMF", "WTO", "AU", "OAS", "OECD", "OSCE", "ICJ", "IAEA", "ICC"],
  ["NATO", "ASEAN", "OPEC", "ECOWAS", "CARICOM", "Mercosur", "UNESCO", "INTERPOL"],
  ["European Union", "African Union", "United Nations", "Arab League", "Commonwealth"],
  ["Soviet Union", "Ottoman Empire", "Russian Empire", "Roman Empire", "British Empire"],
  ["World Bank", "International Monetary Fund", "World Trade Organization"],
];

const TITLE = "(?:President|King|Queen|Prime Minister|General|Emperor|Sultan|Sheikh|Marshal|" +
  "Captain|Chancellor|Prince|explorer|navigator|leader|dictator|strongman)";
const WORD = "\\p{Lu}\\p{Ll}[\\p{L}’-]*";
const NAME = `${WORD}(?: (?:de |al-|bin |van )?${WORD}){1,2}`;
const TITLED = new RegExp(`(?<=\\b${TITLE} )${NAME}(?![\\p{L}])`, "gu");

/** Read as a name, but an office, or a name cut short. */
const NO_PERSON =
  /\b(?:Police|Border|National|General|Directorate|Army|Staff|Department|Sir)\b|\b(?:Ii|Iii|Iv|Vi|De|Al)$/u;

/** People whom a text names with title, given name and family name, in order, each once. */
export function peopleIn(text: string): readonly string[] {
  const names = [...text.matchAll(TITLED)].map(([name]) => name.replace(/['’]s$/u, ""));
  return [...new Set(names)].filter((name) => !NO_PERSON.test(name));
}

/** A person by a person, an organisation by one that the source does not name. */
export const swapName: VariantRule = (text, { people, source, about }, random) => {
  if (DENIES.test(text)) return undefined;
  const changes = [people, ...ORGANISATIONS].flatMap((row) =>
    row.flatMap((name) => {
      const start = name === about ? undefined : placeOf(text, name, row === people);
      if (start === undefined) return [];
      const others = row.filter((other) => !source.includes(other) && !sharesWord(other, name));
      if (others.length === 0) return [];
      return [{ start, end: start + name.length, to: choose(random, others) }];
    })
  );
  return oneOf(changes, random);
};

/** A person may have a title before the name; "Security UN Council" and "EU-led" are other names. */
function placeOf(text: string, name: string, isPerson: boolean): number | undefined {
  if (!text.includes(name)) return undefined;
  const begins = isPerson ? "" : "|\\p{Lu}\\p{L}* |\\b[Aa]n? ";
  const ends = "(?![\\p{L}\\d)-]|[ ]\\p{Lu})";
  return new RegExp(`(?<![\\p{L}\\d(-]${begins})${RegExp.escape(name)}${ends}`, "u").exec(text)
    ?.index;
}

const sharesWord = (a: string, b: string) => {
  const words = new Set(a.split(" "));
  return b.split(" ").some((word) => words.has(word));
};
