/** CITATION.cff (Citation File Format 1.2.0), read for exports, the site and BibTeX. */
import { parse } from "yaml";
import { z } from "zod";

const AUTHOR = z.union([
  z.object({ name: z.string() }),
  z.object({ "given-names": z.string(), "family-names": z.string() }),
]);

const FILE = z.object({
  title: z.string(),
  abstract: z.string(),
  version: z.string(),
  "date-released": z.iso.date(),
  authors: z.array(AUTHOR).min(1),
  license: z.string(),
  keywords: z.array(z.string()).default([]),
  doi: z.string().optional(),
  url: z.url().optional(),
});

/** Citation of the project. */
export interface Citation {
  /** Text of the file, unchanged. */
  readonly text: string;
  readonly title: string;
  readonly abstract: string;
  readonly version: string;
  /** Release date, ISO 8601. */
  readonly date: string;
  /** Authors, persons and organisations. */
  readonly authors: readonly { readonly name: string; readonly kind: "Person" | "Organization" }[];
  /** SPDX identifier of the licence. */
  readonly licence: string;
  readonly keywords: readonly string[];
  readonly doi?: string;
  readonly url?: string;
  readonly bibtex: string;
}

/** Parses a citation file. @throws {SyntaxError} naming the file and its first invalid key. */
export function readCitation(text: string, name: string): Citation {
  const file = FILE.safeParse(parse(text));
  if (!file.success) {
    const { path, message } = file.error.issues[0]!;
    throw new SyntaxError(`Cannot read ${name}: ${path.join(".")} is wrong (${message}).`);
  }
  const { data } = file;
  const { title, abstract, version, "date-released": date, keywords, doi, url } = data;
  const authors = data.authors.map((author) =>
    "name" in author
      ? { name: author.name, kind: "Organization" as const }
      : { name: `${author["given-names"]} ${author["family-names"]}`, kind: "Person" as const }
  );
  // Braces keep BibTeX from taking an organisation's name apart.
  const names = authors.map(({ name, kind }) => kind === "Person" ? name : `{${name}}`);
  const fields = { author: names.join(" and "), title, version, year: date.slice(0, 4), doi, url };
  const lines = Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : `  ${field} = {${value}},\n`
  );
  const bibtex = `@software{touchstone,\n${lines.join("")}}`;
  return {
    ...{ text, title, abstract, version, date, authors, keywords, bibtex },
    licence: data.license,
    ...doi === undefined ? {} : { doi },
    ...url === undefined ? {} : { url },
  };
}
