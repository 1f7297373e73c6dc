import { readRunSettings, type RunRecord, writeRunSettings } from "./run_settings.ts";

/**
 * Writes a model's record into the settings file when it is first called with its name: a model that
 * never answers leaves the file as it is. To be called before the row is written, so that no row
 * ever stands without its record.
 *
 * @param records those of the run, as `reconcileSettings` gives them; the file's others stay.
 * @throws {SyntaxError} for a file that is no settings file, and {RangeError} for a model of which
 * there is no record.
 */
export function recordOnAnswer(
  path: string,
  records: Readonly<Record<string, RunRecord>>,
): (model: string) => void {
  const before = readRunSettings(path);
  const answering = new Map<string, RunRecord>();
  return (model) => {
    if (answering.has(model)) return;
    const record = records[model];
    if (record === undefined) {
      throw new RangeError(`Cannot keep an answer of ${model}: it has no record of settings.`);
    }
    answering.set(model, record);
    writeRunSettings(path, { ...before, ...Object.fromEntries(answering) });
  };
}
