import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { withUsage } from "../command.ts";

/** What `deno task factcheck` is told: one text, or a batch of them. */
export type FactcheckOptions =
  & {
    /** Path of the configuration. */
    readonly config: string;
    /** Folder of the reports. */
    readonly out: string;
  }
  & (
    | {
      readonly kind: "one";
      readonly candidate: string;
      /** Path of the source text; without one the knowledge base alone is used. */
      readonly source: string | undefined;
      readonly question: string;
    }
    | { readonly kind: "batch"; readonly batch: string; readonly concurrency: number }
  );

export const FACTCHECK_OPTIONS = {
  candidate: { type: "string" },
  source: { type: "string" },
  question: { type: "string" },
  batch: { type: "string" },
  concurrency: { type: "string" },
  config: { type: "string", default: "data/factuality/evaluation.yaml" },
  out: { type: "string" },
} as const;

export const FACTCHECK_USAGE =
  `deno task factcheck: which claims of a text do its source and a knowledge base bear out?

One text:

  --candidate FILE         the text to check
  --source FILE            what it was written from; without one the knowledge base alone is used
  --question TEXT          what it answers

Many texts, each result on disk as it comes; a run that was ended goes on where it was:

  --batch FILE             .jsonl or .csv with candidate, and source, question and id if there are any
  --concurrency N          requests at once; 1 unless told, more only serves judges on servers

Both:

  --config FILE            splitter, knowledge base, verifier, judges (${FACTCHECK_OPTIONS.config.default} unless told)
  --out FOLDER             where the reports go (.cache/factcheck/ and the file's name unless told)

One text gives evaluation.html, .md, .json and tables in CSV; a batch gives results.jsonl, summary.md,
profile.html, .json and tables. Exit code: 0 evaluated, whatever was found; 3 stopped, or a batch in which requests have no
result yet; 1 nothing could be evaluated, and why.`;

const HINT = "deno task factcheck --help tells what is possible";
const FOLDER = join(".cache", "factcheck");

/**
 * The options in a command line.
 * @throws {SyntaxError} naming what is wrong and what is possible.
 */
export function parseOptions(args: readonly string[]): FactcheckOptions {
  const { values } = withUsage(
    FACTCHECK_USAGE,
    () => parseArgs({ args: [...args], options: FACTCHECK_OPTIONS }),
  );
  const { candidate, source, question, batch, concurrency, config } = values;
  if ((candidate === undefined) === (batch === undefined)) {
    throw new SyntaxError(`Cannot check: name either --candidate or --batch; ${HINT}`);
  }
  const out = values.out ?? join(FOLDER, basename(candidate ?? batch!));
  if (candidate !== undefined) {
    refuse({ concurrency }, "belongs to --batch");
    return { kind: "one", config, out, candidate, source, question: question ?? "" };
  }
  refuse({ source, question }, "belongs to --candidate; a batch has its own");
  if (!/\.(?:jsonl|csv)$/i.test(batch!)) {
    throw new SyntaxError(`--batch ${batch} is neither .jsonl nor .csv; ${HINT}`);
  }
  return { kind: "batch", config, out, batch: batch!, concurrency: numberOf(concurrency ?? "1") };
}

function refuse(given: Readonly<Record<string, string | undefined>>, why: string): void {
  const [name] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new SyntaxError(`--${name} ${why}; ${HINT}`);
}

function numberOf(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new SyntaxError(`--concurrency ${text} is no number from 1 to 999; ${HINT}`);
}
