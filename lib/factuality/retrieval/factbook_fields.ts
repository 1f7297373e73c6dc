import { z } from "zod";
import { plainText } from "./plain_text.ts";

/** One statement of the factbook: `France / People and Society / Population / male`. */
export interface FactbookField {
  readonly country: string;
  /** The file's name, which is the FIPS 10-4 code: `fr`. */
  readonly code: string;
  /** The file's folder: `europe`. */
  readonly region: string;
  readonly section: string;
  readonly field: string;
  /** The empty string for the field's own text; `note` for its note. */
  readonly subfield: string;
  /** Without mark-up; never empty. */
  readonly text: string;
}

/** One file of the package. */
export interface CountryFile {
  readonly code: string;
  readonly region: string;
  readonly json: string;
}

/** A field holds `text`, a `note`, and subfields with a `text` each. */
const FIELD = z.record(z.string(), z.union([z.string(), z.object({ text: z.string() })]));
const COUNTRY = z.record(z.string(), z.record(z.string(), FIELD));
type Country = z.infer<typeof COUNTRY>;

/** The file has no country name of its own for these. */
const NAMED_BY_US: Readonly<Record<string, string>> = { xx: "World" };

/**
 * Every statement of one country's file in the file's order, mark-up removed.
 * @throws {SyntaxError} naming the file, where it is not sections of fields of texts.
 */
export function countryFields({ code, region, json }: CountryFile): readonly FactbookField[] {
  const file = parseCountry(json, `${region}/${code}.json`);
  const country = countryName(file, code);
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

function parseCountry(json: string, name: string): Country {
  try {
    return COUNTRY.parse(JSON.parse(json));
  } catch (cause) {
    throw new SyntaxError(
      `Cannot read ${name} of the factbook: it is not sections of fields of texts. ` +
        "Delete the package from the cache and fetch it again.",
      { cause },
    );
  }
}

/** The short form of the name where it has one, else the long one; without its explanation. */
function countryName(file: Country, code: string): string {
  const { Government: government = {} } = file;
  const forms = [
    government["Country name"]?.["conventional short form"],
    government["Country name"]?.["conventional long form"],
    government["Union name"]?.["conventional long form"],
  ];
  const names = forms.map((form) =>
    typeof form === "object" ? plainText(form.text).replace(/ \(sometimes .*/u, "") : ""
  );
  const name = names.find((name) => name !== "" && name !== "none") ?? NAMED_BY_US[code];
  if (name === undefined) {
    throw new SyntaxError(`Cannot read ${code}.json of the factbook: it names no country.`);
  }
  return name;
}
