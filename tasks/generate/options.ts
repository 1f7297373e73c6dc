import { parseArgs } from "node:util";
import { type Source, SOURCES } from "../../lib/norse/proposals/gather.ts";
import type { RunOptions } from "../../lib/norse/proposals/run.ts";
import { withUsage } from "../command.ts";

export const GENERATE_OPTIONS = {
  source: { type: "string" },
  limit: { type: "string" },
  estimate: { type: "boolean", default: false },
} as const;

export const GENERATE_USAGE =
  `deno task generate: the Old Norse pairs, by rules, by a model's proposals that the rules confirm,
or by both.

  --source ${
    SOURCES.join("|")
  }  the rules alone, confirmed proposals alone, or proposals first and the
                           rules to fill up: the default where .env has a key, else what is on record
  --limit CALLS            at most so many calls, then choose; 0 asks nothing
  --estimate               only say what asking would take

Every answer is on disk as it comes; Ctrl-C stops it. Exit code: 0 done, or estimated; 3 the data set
is as it was, for questions are left or no proposal is confirmed; 1 nothing could be done, and why.`;

/** @throws {RangeError | SyntaxError} for a source or a limit that is none, and for what is no option. */
export function readGenerateOptions(args: readonly string[]): RunOptions {
  const { source, limit, estimate } = withUsage(
    GENERATE_USAGE,
    () => parseArgs({ args: [...args], options: GENERATE_OPTIONS }).values,
  );
  if (limit !== undefined && !/^\d+$/.test(limit)) {
    throw new RangeError(`Cannot limit the calls to "${limit}": write a whole number.`);
  }
  return {
    estimateOnly: estimate,
    ...(source === undefined ? {} : { source: parseSource(source) }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
}

function parseSource(text: string): Source {
  const source = SOURCES.find((known) => known === text);
  if (source) return source;
  throw new RangeError(`Cannot generate from "${text}": write ${SOURCES.join(", ")}.`);
}
