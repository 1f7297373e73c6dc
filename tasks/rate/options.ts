import { parseArgs } from "node:util";
import { withUsage } from "../command.ts";
import type { PageSources } from "./build_page.ts";

const SOURCE_OPTIONS = {
  config: { type: "string" },
  workbook: { type: "string" },
} as const;

export const RATE_OPTIONS = {
  ...SOURCE_OPTIONS,
  port: { type: "string" },
  "no-open": { type: "boolean" },
} as const;

export const RATE_BUILD_OPTIONS = { ...SOURCE_OPTIONS, out: { type: "string" } } as const;

/** The same port every time: browsers keep unsaved work by origin, and the port is part of it. */
export const RATE_PORT = 8731;

export const RATE_PAGE = "rate.html";

const SOURCE_USAGE =
  `  --config FILE     the run configuration, YAML or JSON (the demonstration's unless told)
  --workbook FILE   the workbook behind the demo button (the demonstration's, without --config)`;

export const RATE_USAGE = `deno task rate: serves the rating page to this machine and opens it.

${SOURCE_USAGE}
  --port NUMBER     on this port (${RATE_PORT} unless told); unsaved work is found again only on the
                    same port
  --no-open         only say the address

The server keeps nothing: ratings stay in the browser and in the workbook that the rater saves.
Ctrl-C stops it.`;

export const RATE_BUILD_USAGE =
  `deno task rate:build: writes the rating page as one HTML file, to be opened from disk or put on any
static host. It sends nothing anywhere.

${SOURCE_USAGE}
  --out FILE        where to (${RATE_PAGE} unless told)`;

/** What `deno task rate` is told. */
export interface RateOptions {
  readonly sources: PageSources;
  readonly port: number;
  readonly open: boolean;
}

/** What `deno task rate:build` is told. */
export interface RateBuildOptions {
  readonly sources: PageSources;
  readonly out: string;
}

/** @throws {RangeError | SyntaxError} for a port that is none, and for what is no option. */
export function readRateOptions(args: readonly string[]): RateOptions {
  const values = withUsage(
    RATE_USAGE,
    () => parseArgs({ args: [...args], options: RATE_OPTIONS }).values,
  );
  return {
    sources: { config: values.config, workbook: values.workbook },
    port: values.port === undefined ? RATE_PORT : portNumber(values.port),
    open: !values["no-open"],
  };
}

/** @throws {SyntaxError} for what is no option. */
export function readRateBuildOptions(args: readonly string[]): RateBuildOptions {
  const values = withUsage(
    RATE_BUILD_USAGE,
    () => parseArgs({ args: [...args], options: RATE_BUILD_OPTIONS }).values,
  );
  return {
    sources: { config: values.config, workbook: values.workbook },
    out: values.out ?? RATE_PAGE,
  };
}

/** 0 leaves the choice to the system. */
function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new RangeError(`Cannot serve on port "${text}": write a whole number from 0 to 65535.`);
}
