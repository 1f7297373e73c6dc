/**
 * The Old Norse pairs: asks a model for proposals where there is a key, then chooses and writes.
 *
 *     deno task generate                      proposals first and rules filling up, where there is a key
 *     deno task generate --source rules       the rules alone (llm: confirmed proposals alone)
 *     deno task generate --limit 50           at most 50 calls, then choose; 0 asks nothing
 *     deno task generate --estimate           what asking would take; changes nothing
 *
 * Ctrl-C keeps every answer. Exit code: 0 done, 3 questions are left and the data set is as it was,
 * 1 error.
 */
import { parseArgs } from "node:util";
import { readSentences } from "../lib/norse/acquisition.ts";
import { readPanel } from "../lib/norse/panel.ts";
import { NORSE_PATHS } from "../lib/norse/paths.ts";
import { PROPOSAL_PATHS } from "../lib/norse/proposals/paths.ts";
import { readPromptTemplates } from "../lib/norse/proposals/prompts.ts";
import { parseSource, runGeneration, type RunOptions } from "../lib/norse/proposals/run.ts";

const EXIT_CODES = { complete: 0, incomplete: 3 } as const;

/** @throws {RangeError} for a source or a limit that is none. */
export function readOptions(args: readonly string[]): RunOptions {
  const { values: { source, limit, estimate } } = parseArgs({
    args: [...args],
    options: {
      source: { type: "string" },
      limit: { type: "string" },
      estimate: { type: "boolean", default: false },
    },
  });
  if (limit !== undefined && !/^\d+$/.test(limit)) {
    throw new RangeError(`Cannot limit the calls to "${limit}": write a whole number.`);
  }
  return {
    estimateOnly: estimate,
    ...(source === undefined ? {} : { source: parseSource(source) }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
}

async function main(args: readonly string[]): Promise<number> {
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  Deno.addSignalListener("SIGINT", stop);
  try {
    const outcome = await runGeneration({ ...readOptions(args), signal: interrupt.signal }, {
      sentences: readSentences(NORSE_PATHS.sentences),
      templates: readPromptTemplates(),
      panel: readPanel(NORSE_PATHS.hostedPanel),
      connection: { env: NORSE_PATHS.env, usage: NORSE_PATHS.usage },
      paths: { ...NORSE_PATHS, ...PROPOSAL_PATHS },
      print: (line) => console.log(line),
    });
    return EXIT_CODES[outcome];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    Deno.removeSignalListener("SIGINT", stop);
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
