import { parseArgs } from "node:util";
import { withUsage } from "../command.ts";

export const USAGE = `deno task compare: every component on the same labelled claims

  --claims NUMBER   held-out claims about countries, an even number; 240 unless told
  --written NUMBER  of these, for the judge that writes its answers, seconds each; 40 unless told
  --human           the human-labelled sets of ../shared/data, too; of these only aggregates are kept
  --draw NUMBER     cases of each such set that language models are asked about; 40 unless told
  --only TEXT       only components whose name has this in it
  --threads NUMBER  of evaluation; 2 unless told

Answers are kept as they come: data/factuality/component_answers.csv, and for the human-labelled sets
.cache/compare/human_answers.csv. Ctrl-C keeps them, and a further run asks what is missing. Answers
given with other settings are moved to .cache/compare/ and asked again.`;

export interface CompareOptions {
  readonly claims: number;
  readonly written: number;
  readonly human: boolean;
  readonly draw: number;
  /** Part of the names of components to ask; the empty string for all. */
  readonly only: string;
  readonly threads: number;
}

/** What a command line asks for. @throws {RangeError} for a number that is none. */
export function compareOptions(args: readonly string[]): CompareOptions {
  const { values } = withUsage(USAGE, () =>
    parseArgs({
      args: [...args],
      options: {
        claims: { type: "string", default: "240" },
        written: { type: "string", default: "40" },
        human: { type: "boolean", default: false },
        draw: { type: "string", default: "40" },
        only: { type: "string", default: "" },
        threads: { type: "string", default: "2" },
      },
    }));
  return {
    claims: evenNumber("--claims", values.claims),
    written: evenNumber("--written", values.written),
    human: values.human,
    draw: evenNumber("--draw", values.draw),
    only: values.only,
    threads: wholeNumber("--threads", values.threads),
  };
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
