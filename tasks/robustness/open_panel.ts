import { parseEvaluationConfiguration } from "../../lib/factuality/configuration/evaluation_configuration.ts";
import {
  type OpenComponents,
  openComponents,
} from "../../lib/factuality/configuration/open_components.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import type { PartRun } from "./part.ts";

/**
 * Every component that the configuration names. Elsewhere a judge that does not open is left out and
 * told; here its rows would be missing from a table that is compared, so it is an error.
 *
 * @throws {Error} naming what did not open, and what `openComponents` throws.
 */
export async function openPanel(
  { configuration, threads, tell }: Pick<PartRun, "configuration" | "threads" | "tell">,
): Promise<OpenComponents> {
  const opened = await openComponents(configuration, {
    ...{ cacheDirectory: FACTUALITY_PATHS.cache, threads },
    onProgress: ({ component, words }) => tell(`${component}: ${words}`),
  });
  const text = Deno.readTextFileSync(configuration);
  const wanted = parseEvaluationConfiguration(text, configuration).judges;
  if (opened.judges.length === wanted.length) return opened;
  await opened[Symbol.asyncDispose]();
  const there = opened.judges.map(({ name }) => name);
  const missing = wanted.filter(({ id }) => !there.includes(id)).map(({ id }) => id);
  throw new Error(
    `Cannot go on without ${missing.join(", ")}: ${opened.problems.join(" ")} Try again, on a ` +
      "machine with less to do where time ran out; answers are kept.",
  );
}
