import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { addressOf } from "../../files/asking.ts";
import { lockFile, sha256Hex, shownPath, writeTextAtomic } from "../../files/atomic.ts";
import { appendJsonLine, jsonLines, readJsonLines, writeJsonAtomic } from "../../files/json.ts";
import { withoutSecrets } from "../../models/hosted/api_keys.ts";
import { configurationOf } from "./check.ts";
import { errorWords } from "../component.ts";
import type { EvaluationComponents } from "./components.ts";
import { ANSWER_SCHEMAS, isTransient } from "../types.ts";
import type { Judgement, Named, Passage, RetrievedPassage, Verdict, Verifier } from "../types.ts";

const LINE = z.object({ key: z.string(), value: z.unknown() });
const { verdict: VERDICT, judgement: JUDGEMENT, passages: PASSAGES } = ANSWER_SCHEMAS;

/**
 * Stores answers in a file and reuses them after an interrupted evaluation. They are passages,
 * verdicts and judgements, keyed by the question and the digest of the whole configuration.
 * Failures are asked again; a truncated line is ignored.
 */
export function withStoredAnswers(
  components: EvaluationComponents,
  path: string,
): { readonly components: EvaluationComponents; readonly storedCount: number } {
  const configuration = configurationSha256(components);
  const known = new Map(linesOf(path).map(({ key, value }) => [key, value]));
  const { size: storedCount } = known;
  const keyOf = (...asked: readonly unknown[]) =>
    sha256Hex(JSON.stringify([configuration, ...asked])).slice(0, 32);
  const find = <Answer>(schema: z.ZodType<Answer>, key: string) =>
    schema.safeParse(known.get(key)).data;
  const keep = (key: string, value: object) => {
    // JSON has no `undefined`.
    const written = JSON.stringify(value, (_, one) => one === undefined ? null : one);
    appendJsonLine(path, { key, value: JSON.parse(written) });
  };
  const isLasting = (answer: Verdict | Judgement) =>
    answer.kind === "scored" || !isTransient(answer.reason);
  // Sources are long: each is hashed once for all its claims.
  const digests = new WeakMap<readonly Passage[], string>();
  const digestOf = (passages: readonly Passage[]) =>
    digests.getOrInsertComputed(passages, () => sha256Hex(JSON.stringify(passages)));

  const { retriever, verifier, judges } = components;
  const keeping: Verifier = {
    ...verifier,
    async verify(claims, passages, options) {
      const keys = claims.map((claim) => keyOf("verdict", digestOf(passages), claim));
      const verdicts: (Verdict | undefined)[] = keys.map((key) => find(VERDICT, key));
      const open = claims.flatMap((_, at) => verdicts[at] === undefined ? [at] : []);
      if (open.length === 0) return verdicts as Verdict[];
      const made = await verifier.verify(open.map((at) => claims[at]!), passages, options);
      // The caller detects a wrong number.
      if (made.length !== open.length) return made;
      for (const [index, at] of open.entries()) {
        const verdict = verdicts[at] = made[index]!;
        if (isLasting(verdict)) keep(keys[at]!, verdict);
      }
      return verdicts as Verdict[];
    },
  };
  return {
    storedCount,
    components: {
      ...components,
      verifier: keeping,
      retriever: retriever && {
        ...retriever,
        async retrieve(claim, options): Promise<readonly RetrievedPassage[]> {
          const key = keyOf("passages", claim);
          const before = find(PASSAGES, key);
          if (before !== undefined) return before;
          const passages = await retriever.retrieve(claim, options);
          keep(key, passages);
          return passages;
        },
      },
      judges: judges.map((judge) => ({
        ...judge,
        async judge(task, options) {
          const key = keyOf("judgement", judge.name, task);
          const before = find(JUDGEMENT, key);
          if (before !== undefined) return before;
          const judgement = await judge.judge(task, options);
          if (isLasting(judgement)) keep(key, judgement);
          return judgement;
        },
      })),
    },
  };
}

/**
 * Reads complete lines. A file with others is rewritten without them before anything is appended.
 */
function linesOf(path: string): readonly z.infer<typeof LINE>[] {
  if (!existsSync(path)) return [];
  const { rows, damaged } = readJsonLines(path, (value) => LINE.parse(value));
  if (damaged.length > 0) writeTextAtomic(path, jsonLines(rows));
  return rows;
}

/**
 * Locks a batch's folder until this process ends. @throws {Error} where another process holds it.
 */
export function lockFolder(folder: string): Disposable {
  const why = "another process evaluates a batch there. Let it end, or choose another --out";
  return lockFile(join(folder, "batch.lock"), `Cannot work in ${shownPath(folder)}: ${why}.`);
}

/** The request and stage of a failure (empty before the first), and the time of day. */
interface FailureContext extends Readonly<Record<"request" | "stage", string>> {
  readonly at: Date;
}

/**
 * Makes a line of the failure log for any thrown value. It contains no keys, addresses and
 * accounts.
 */
export function failureRecord(error: unknown, { at, ...place }: FailureContext) {
  // Paths are relative to the project, since addresses and home folders are treated as secrets.
  const stack = (error instanceof Error ? error.stack ?? "" : "")
    .replace(/file:\/\/\S*?\/(?=(?:lib|tasks|node_modules)\/)/g, "");
  const words = { message: errorWords(error), stack: withoutSecrets(stack, []) };
  return { at: at.toISOString(), ...place, ...words };
}

/** Writes a diagnosis of a stopped run, where possible; never throws. */
export function writeDiagnosis(
  path: string,
  error: unknown,
  place: FailureContext,
  { components, versions }: {
    readonly components: EvaluationComponents;
    readonly versions: Readonly<Record<string, string>>;
  },
): void {
  try {
    writeJsonAtomic(path, {
      ...failureRecord(error, place),
      configuration: JSON.parse(JSON.stringify(configurationOf(components))),
      versions,
      next: "Every result so far is kept; the same command goes on where this run ended.",
    });
  } catch {
    // The disk may have failed; the original error says more than this one.
  }
}

/** Reasons why configured components are unavailable, which makes evaluations incomplete. */
export const absentComponents = (
  { absentJudges = [], retrieverProblem }: EvaluationComponents,
): readonly string[] => [
  ...absentJudges,
  ...retrieverProblem === undefined ? [] : [retrieverProblem],
];

/** SHA-256 of every setting of the components that could change a result. */
export function configurationSha256(components: EvaluationComponents): string {
  // A judge that does not answer now still belongs to the configuration.
  const { configuredJudges: configured = components.judges } = components;
  const configuration = configurationOf({ ...components, judges: configured });
  const { splitter, retriever, verifier, judges, aggregation, promptsSha256 } = configuration;
  const identities = (...named: readonly (Named | undefined)[]) =>
    named.filter((one) => one !== undefined).map(({ name, settings }) =>
      addressOf([name, settings])
    );
  const { judgeClaims, lowConfidenceVariance, criteria, consistency, mostClaims } = components;
  return sha256Hex(JSON.stringify([
    identities(splitter, verifier, retriever, ...judges),
    [aggregation, promptsSha256, judgeClaims, lowConfidenceVariance, criteria],
    ...mostClaims === undefined ? [] : [mostClaims],
    consistency === undefined ? [] : [
      ...identities(verifier),
      identities(consistency.languageModel)[0] ?? [],
      consistency.mostPairs,
      consistency.mostPairsBeside,
    ],
  ]));
}
