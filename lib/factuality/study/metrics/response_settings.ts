import { z } from "zod";
import { FACTUALITY_PATHS } from "../../paths.ts";
import type { ProfileProvenance } from "../../profile/profile_input.ts";

const SETTINGS = z.record(
  z.string(),
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
);

const PATH = FACTUALITY_PATHS.modelResponses.replace(/\.csv$/, ".json");

/**
 * With which settings each system answered, as `deno task respond` keeps them beside the answers.
 *
 * @throws {SyntaxError} for a file that is damaged. The function that is returned throws a RangeError
 * for a system that is not in it.
 */
export function readResponseSettings(
  path: string = PATH,
): (system: string) => ProfileProvenance["settings"] {
  const found = SETTINGS.safeParse(JSON.parse(Deno.readTextFileSync(path)));
  if (!found.success) {
    throw new SyntaxError(`Cannot read ${path}: ${z.prettifyError(found.error)}`);
  }
  return (system) => {
    const settings = found.data[system];
    if (settings !== undefined) return settings;
    throw new RangeError(
      `Cannot find the settings of ${system} in ${path}; run deno task respond.`,
    );
  };
}
