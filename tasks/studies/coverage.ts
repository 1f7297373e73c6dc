import { z } from "zod";
import {
  contentWords,
  isSameLemma,
  type TaggedWord,
  wordsOf,
} from "../../lib/factuality/claims/english.ts";
import { ruleSplitter } from "../../lib/factuality/claims/rule_splitter.ts";
import { sentencesOf } from "../../lib/factuality/claims/sentences.ts";
import { readRows } from "../../lib/factuality/labelled_case.ts";
import { FACTSCORE } from "../../lib/studies/factuality/datasets/public_sets.ts";
import { CLAIM_COVERAGE, type FactCoverageRow } from "../../lib/studies/factuality/tables.ts";
import type { ClaimSplitter } from "../../lib/factuality/types.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { outsideFile } from "../../lib/files/table.ts";
import { openStatusLine } from "../../lib/files/progress.ts";
import { ratio } from "../../lib/stats/measure.ts";
import { command, EXIT } from "../command.ts";

export const TASK = command(
  "study coverage",
  "Our claims against the facts that people took the same texts apart into: FActScore's, of which " +
    "only aggregates are kept. Writes data/factuality/claim_coverage.csv.",
  (c) =>
    c.option("--folder <folder>", `that holds ${FACTSCORE.file}; data/README.md says where from`),
  async ({ folder }) => {
    const responses = readResponses(outsideFile(FACTSCORE, folder));
    using status = openStatusLine();
    const report = (done: number) => status.show(`response ${done} of ${responses.length}`);
    const rows = await coverageRows(responses, ruleSplitter(), report);
    CLAIM_COVERAGE.write(rows);
    status.finish(`Wrote ${shownPath(CLAIM_COVERAGE.path)}.`);
    return EXIT.done;
  },
);

const ROW = z.object({
  model: z.string().min(1),
  topic: z.string().min(1),
  output: z.string(),
  facts: z.array(z.tuple([z.string().min(1), z.enum(["S", "NS", "IR"])])),
}).transform(({ facts, ...row }) => ({ ...row, facts: facts.map(([fact]) => fact) }));

/** A model's text about a person, and the facts that people extracted from it. */
export type AnnotatedResponse = z.infer<typeof ROW>;

/**
 * Reads the responses of FActScore (Min et al. 2023, arXiv 2305.14251) with annotators' facts.
 *
 * Facts annotated as irrelevant are included, because the text states them. Responses without
 * annotated facts are left out. @throws {SyntaxError} naming the file and its first damaged line.
 */
export function readResponses(path: string): readonly AnnotatedResponse[] {
  const { rows, damaged } = readRows(path, ROW);
  const [first] = damaged;
  if (first === undefined) return rows.filter(({ facts }) => facts.length > 0);
  throw new SyntaxError(`Cannot read ${path}: line ${first.line} is no response: ${first.reason}`);
}

/** Counts for one response split into claims. */
type Counts = ReturnType<typeof atomicFactCoverage> & {
  readonly model: string;
  readonly sentences: number;
  readonly notCheckable: number;
};

/**
 * Compares the splitter's claims with annotators' facts, in total and by model. The last row is a
 * baseline of unsplit sentences: a long claim covers many facts.
 */
export async function coverageRows(
  responses: readonly AnnotatedResponse[],
  splitter: ClaimSplitter,
  onResponse: (done: number) => void = () => {},
): Promise<readonly FactCoverageRow[]> {
  const split: Counts[] = [];
  const whole: Counts[] = [];
  for (const { model, topic, output, facts } of responses) {
    const sentences = sentencesOf(output).map(({ text }) => text);
    const counts = (claims: readonly string[], notCheckable: number): Counts => (
      {
        model,
        sentences: sentences.length,
        notCheckable,
        ...atomicFactCoverage(claims, facts, topic),
      }
    );
    const { claims } = await splitter.split(output);
    const notCheckable = claims.filter((claim) => claim.notCheckable !== undefined).length;
    split.push(counts(claims.map(({ text }) => text), notCheckable));
    whole.push(counts(sentences, 0));
    onResponse(split.length);
  }
  const models = [...new Set(responses.map(({ model }) => model))];
  return [
    ...["all", ...models].map((model) => aggregate(splitter.name, model, split)),
    aggregate("whole sentences", "all", whole),
  ];
}

const sum = (counts: readonly Counts[], what: Exclude<keyof Counts, "model">) =>
  counts.reduce((all, one) => all + one[what], 0);

function aggregate(
  splitter: string,
  model: string,
  counts: readonly Counts[],
): FactCoverageRow {
  const own = model === "all" ? counts : counts.filter((one) => one.model === model);
  const shares = (of: "facts" | "claims") => share(own, of);
  const [facts_covered, facts_covered_low, facts_covered_high] = shares("facts");
  const [claims_covered, claims_covered_low, claims_covered_high] = shares("claims");
  return {
    splitter,
    model,
    responses: own.length,
    sentences: sum(own, "sentences"),
    claims: sum(own, "claims"),
    not_checkable: sum(own, "notCheckable"),
    facts: sum(own, "facts"),
    facts_covered,
    facts_covered_low,
    facts_covered_high,
    claims_covered,
    claims_covered_low,
    claims_covered_high,
  };
}

/** Returns a pooled share with its interval clustered by response, rounded to four decimals. */
function share(counts: readonly Counts[], of: "facts" | "claims") {
  const found = ratio(
    counts.map((one, index) => (
      { cluster: String(index), over: one[`${of}Covered`], under: one[of] }
    )),
    [0, 1],
  );
  if (found.kind !== "interval") {
    throw new RangeError(`Cannot measure coverage: ${found.reason}. Give two responses or more.`);
  }
  const rounded = (value: number) => Number(value.toFixed(4));
  return [rounded(found.estimate), rounded(found.low), rounded(found.high)] as const;
}

/**
 * Counts the covered facts and claims of two decompositions of one text.
 *
 * A statement is covered if one statement of the other list has all its content words, compared by
 * lemma in any order. The measure is coarse and the same in both directions. Pronouns are ignored:
 * "He sang" is covered by "Ada sang". Long claims cover many facts, so report `claims` with it.
 *
 * @param topic Name of the subject, or an empty string. Its words are ignored, so that a name
 * instead of a pronoun makes no difference.
 */
export function atomicFactCoverage(
  claims: readonly string[],
  facts: readonly string[],
  topic: string,
) {
  const ignored = wordsOf(topic, 0);
  const stands = (word: TaggedWord, words: readonly TaggedWord[]) =>
    words.some((one) => isSameLemma(word, one));
  const contentOf = (statement: string) =>
    contentWords(wordsOf(statement, 0)).filter((word) => !stands(word, ignored));
  const [ours, theirs] = [claims.map(contentOf), facts.map(contentOf)];
  const covered = (those: typeof ours, by: typeof ours) =>
    those.filter((words) => by.some((whole) => words.every((word) => stands(word, whole)))).length;
  const [factsCovered, claimsCovered] = [covered(theirs, ours), covered(ours, theirs)];
  return { claims: claims.length, facts: facts.length, factsCovered, claimsCovered };
}
