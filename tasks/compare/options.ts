import { parseArgs } from "node:util";
import { CASE_FORMATS } from "../../lib/factuality/cases/case_formats.ts";
import { type CaseSource, caseSource } from "../../lib/factuality/cases/case_source.ts";
import { withUsage } from "../command.ts";

export const USAGE = `deno task compare: every component on the same labelled claims

  --claims NUMBER   held-out claims about countries, an even number; 240 unless told
  --written NUMBER  of these, for the judge that writes its answers, seconds each; 40 unless told
  --human           the human-labelled sets of ../shared/data, too; of these only aggregates are kept
  --draw NUMBER     cases of each such set that language models are asked about; 40 unless told
  --only TEXT       only components whose name has this in it
  --threads NUMBER  of evaluation; 2 unless told

  --cases FORMAT:FILE  in place of all these, labelled claims of your own; only FILE is file:FILE.
                       FORMAT: ${CASE_FORMATS.slice(0, 5).join(", ")},
                       ${CASE_FORMATS.slice(5).join(", ")}
  --draw NUMBER        language models are asked, too, about so many by lot, half supported
  --out FILE           the table of figures; .cache/compare/FORMAT-NAME.csv unless told

A file of your own is CSV with a header, or JSON objects, one a line, with claim, source and label
(supported, refuted, not enough info; or yes, no), and if you like id and cluster: claims of one
response or topic, for intervals. Other common names and labels are understood. FEVER's pages are
looked for in wiki-pages beside the file, RAGTruth's sources in source_info.jsonl.

Exit code 0: all is answered; 1: an error, told in words; 3: stopped, go on with a further run.

Answers are kept as they come: data/factuality/component_answers.csv, and for the human-labelled sets
.cache/compare/human_answers.csv, for your own .cache/compare/answers/. Ctrl-C keeps them, and a
further run asks what is missing. Answers given with other settings are moved to .cache/compare/ and
asked again.`;

/** Labelled claims of somebody's own, and what is done with them. */
export interface OwnCases extends CaseSource {
  /** Cases that language models are asked about; undefined where they are asked about none. */
  readonly draw: number | undefined;
  /** Path of the table of figures; undefined for the usual one. */
  readonly out: string | undefined;
}

export interface CompareOptions {
  /** In place of the held-out claims and the human-labelled sets. */
  readonly own: OwnCases | undefined;
  readonly claims: number;
  readonly written: number;
  readonly human: boolean;
  readonly draw: number;
  /** Part of the names of components to ask; the empty string for all. */
  readonly only: string;
  readonly threads: number;
}

/** What a command line asks for. @throws {RangeError} for what is wrong or does not go together. */
export function compareOptions(args: readonly string[]): CompareOptions {
  const { values } = withUsage(USAGE, () =>
    parseArgs({
      args: [...args],
      options: {
        claims: { type: "string" },
        written: { type: "string" },
        human: { type: "boolean", default: false },
        draw: { type: "string" },
        only: { type: "string", default: "" },
        threads: { type: "string", default: "2" },
        cases: { type: "string" },
        out: { type: "string" },
      },
    }));
  return {
    own: ownCases(values),
    claims: evenNumber("--claims", values.claims ?? "240"),
    written: evenNumber("--written", values.written ?? "40"),
    human: values.human,
    draw: evenNumber("--draw", values.draw ?? "40"),
    only: values.only,
    threads: wholeNumber("--threads", values.threads),
  };
}

interface OwnValues {
  readonly cases?: string;
  readonly out?: string;
  readonly draw?: string;
  readonly claims?: string;
  readonly written?: string;
  readonly human: boolean;
}

function ownCases({ cases, out, draw, ...others }: OwnValues): OwnCases | undefined {
  if (cases === undefined) {
    if (out === undefined) return undefined;
    throw new RangeError(
      "Cannot compare: --out goes with --cases; other tables have their places.",
    );
  }
  const other = (["claims", "written", "human"] as const).find((name) => others[name]);
  if (other !== undefined) {
    throw new RangeError(`Cannot compare: --${other} does not go with --cases; leave out one.`);
  }
  const size = draw === undefined ? undefined : evenNumber("--draw", draw);
  return { ...caseSource(cases), draw: size, out };
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new RangeError(`Cannot compare: ${option} is "${text}", not a whole number from 1 on.`);
}

function evenNumber(option: string, text: string): number {
  const value = wholeNumber(option, text);
  if (value % 2 === 0) return value;
  throw new RangeError(
    `Cannot compare: ${option} is ${value}; half are supported, so take an even number.`,
  );
}
