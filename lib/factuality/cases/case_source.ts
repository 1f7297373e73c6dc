import { CASE_FORMATS, type CaseFormatName } from "./case_formats.ts";

/** A file of labelled claims and the format that it is read in. */
export interface CaseSource {
  readonly format: CaseFormatName;
  readonly path: string;
}

/**
 * What a command line names as FORMAT:FILE, or as FILE in one's own format; a single letter before the
 * colon is a drive.
 * @throws {RangeError} for a format that is none, naming those that there are.
 */
export function caseSource(text: string): CaseSource {
  const [, prefix, rest] = /^([^:/\\]{2,}):(.*)$/su.exec(text) ?? [];
  const format = prefix === undefined ? "file" : CASE_FORMATS.find((name) => name === prefix);
  const path = rest ?? text;
  if (format !== undefined && path !== "") return { format, path };
  throw new RangeError(
    `Cannot read the cases: --cases is "${text}"; it is FORMAT:FILE or FILE. The formats are ` +
      `${CASE_FORMATS.join(", ")}.`,
  );
}
