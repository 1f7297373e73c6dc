/** Command that ranks several texts by how well their source supports them. */
import { basename, join } from "node:path";
import { makeFolder, requireWritable, shownPath } from "../../lib/files/atomic.ts";
import { foreignRecords, readInputText } from "../../lib/files/csv.ts";
import { writeJsonAtomic } from "../../lib/files/json.ts";
import { evaluate } from "../../lib/factuality/check/check.ts";
import type { EvaluationComponents } from "../../lib/factuality/check/components.ts";
import {
  type PairwiseJudge,
  pairwiseJudge,
  rankByVerifier,
  rankCorrelations,
  rankTexts,
  readingPairwiseJudge,
  TIE_BAND,
} from "../../lib/factuality/pairwise.ts";
import { isTransient } from "../../lib/factuality/types.ts";
import { command, EXIT } from "../command.ts";
import {
  CLOCK,
  CONFIGURATION,
  inputText,
  openForText,
  reportFolder,
  shareWords,
  TIMEOUT_SECONDS,
} from "./opening.ts";

export const TASK = command(
  "factcheck pairwise",
  "Which of several texts is supported best? The verifier's mean probability decides",
  (c) =>
    c.option("--a <file>", "one text")
      .option("--b <file>", "the other")
      .option("--rank <file...>", "instead of these, two or more texts")
      .option(
        "--source <file>",
        "their source; without it only the knowledge base is used",
      )
      .option("--question <text>", "the question that they answer")
      .option(
        "--truth <file>",
        "true quality: a CSV file with the columns text (its file name) and score (higher is better), " +
          "for Kendall's τ and Spearman's ρ with the ranking",
      )
      .option(
        "--judges",
        "also ask all judges in both orders: it takes minutes, and small ones are weak",
      )
      .option("--config <file>", "splitter, knowledge base, verifier, judges", CONFIGURATION)
      .option(
        "--out <folder>",
        "for the result; by default below .cache/factcheck/",
      ),
  async ({ a, b, rank, source, question = "", truth, judges, config, ...options }, { signal }) => {
    const files = rank ?? [a, b].filter((file) => file !== undefined);
    if (files.length < 2 || rank && (a ?? b) !== undefined) {
      throw new SyntaxError("Cannot compare: name --a and --b, or two files or more with --rank.");
    }
    const out = options.out ?? reportFolder([files[0]!, ...files.slice(1)], "pairwise");
    const names = files.map((file) => basename(file));
    const ids = new Set(names).size === names.length ? names : files;
    // Before models load, so that a wrong file is reported at once.
    const texts = files.map((file, at) => ({ id: ids[at]!, text: inputText(file) }));
    const about = { source: source === undefined ? "" : inputText(source), question };
    const real = truth === undefined ? undefined : readTruth(truth, new Set(ids));
    makeFolder(out);
    requireWritable(join(out, "pairwise.json"));
    await using all = await openForText(config, { judges });
    // Judges that are not asked are missing nowhere.
    const components = judges ? all : { ...all, absentJudges: [] };
    const { prompts, writers, readers } = components;
    const limit = { timeoutSeconds: TIMEOUT_SECONDS };
    const asked = judges
      ? [
        ...writers.map((model) => pairwiseJudge(model, prompts, limit)),
        ...readers.map((model) => readingPairwiseJudge(model, prompts, limit)),
      ]
      : [];
    const how = { components, judges: asked, out, signal, truth: real };
    return await compareFiles(texts, about, how);
  },
);

/** Reads the true score of each text. @throws {SyntaxError} naming the file and the line. */
function readTruth(path: string, ids: ReadonlySet<string>): ReadonlyMap<string, number> {
  const wrong = (why: string) =>
    new SyntaxError(`Cannot read the truth ${shownPath(path)}: ${why}.`);
  const written = readInputText(path, (why) => wrong(why).message);
  const scores = new Map<string, number>();
  for (const { line, record: { text, score } } of foreignRecords(written)) {
    if (text === undefined || score === undefined) {
      throw wrong("it needs the columns text and score");
    }
    const value = score.trim() === "" ? NaN : Number(score);
    if (!Number.isFinite(value)) throw wrong(`line ${line}: ${score} is no number`);
    if (!ids.has(text)) continue;
    if (scores.has(text)) throw wrong(`line ${line}: ${text} occurs twice`);
    scores.set(text, value);
  }
  const missing = [...ids].filter((id) => !scores.has(id));
  if (missing.length > 0) throw wrong(`it has no score of ${missing.join(", ")}`);
  return scores;
}

/** Verifies each text, prints the ranking and writes the results. @returns the exit code. */
export async function compareFiles(
  texts: readonly { readonly id: string; readonly text: string }[],
  about: { readonly source: string; readonly question: string },
  { components, judges, out, signal, truth }: {
    readonly truth?: ReadonlyMap<string, number> | undefined;
    readonly components: EvaluationComponents;
    readonly judges: readonly PairwiseJudge[];
    readonly out: string;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const { absentJudges = [] } = components;
  const alone = { ...components, judges: [], absentJudges: [], consistency: undefined };
  const verified = await Array.fromAsync(texts, async ({ id, text }) => {
    const request = { id, candidate: text, ...about };
    const { claims, ...evaluation } = await evaluate(request, alone, { clock: CLOCK, signal });
    const { failed, foreign } = evaluation;
    return {
      id,
      failed,
      foreign,
      problems: evaluation.problems.filter((problem) => !components.problems.includes(problem)),
      // As in every rate, a claim without retrieved evidence is not supported.
      claims: claims.flatMap(({ claim: { text }, verdict, unverifiable }) =>
        verdict.kind === "scored"
          ? [{ text, supported: verdict.probabilities.supported }]
          : unverifiable
          ? [{ text, supported: 0 }]
          : []
      ),
    };
  });
  const { standings, differences } = rankByVerifier(verified);
  for (const { id, mean, interval, claims, against, ...standing } of standings) {
    const score = mean === undefined
      ? "no claim that could be checked"
      : interval.kind === "interval"
      ? shareWords(interval)
      : mean.toFixed(2);
    const why = against.length > 0 ? "; the claims that lower it:" : "";
    console.log(`${id}: ${score} (mean P(supported) of ${claims.length} claims${why})`);
    for (const { text, supported } of against) console.log(`  ${supported.toFixed(2)}  ${text}`);
    if (standing.foreign !== undefined) console.log(`  ${standing.foreign}`);
    // Problems of the components were reported when they were opened.
    const words = new Set([...standing.problems, ...standing.failed]).difference(
      new Set(components.problems),
    );
    for (const one of words) console.log(`  ${one}`);
  }
  for (const { candidates: [one, other], difference, isWhole, winner } of differences) {
    const verdict = winner !== undefined
      ? `${one} is better`
      : !isWhole
      ? "undecided, because a part failed"
      : difference.kind === "interval"
      ? "a tie: the interval includes 0"
      : "too few claims for an interval";
    console.log(`${one} less ${other}: ${shareWords(difference)}; ${verdict}.`);
  }
  const judged = judges.length === 0
    ? undefined
    : await rankTexts(judges, texts, about, { signal });
  for (const { candidates: [one, other], outcome, judges } of judged?.comparisons ?? []) {
    for (const { judge, aBetter, answers: { aFirst } } of judges) {
      if (aBetter === undefined) continue;
      const isRead = aFirst.kind === "answer" && aFirst.first !== undefined;
      const band = isRead ? `, a tie within ${TIE_BAND} of 0.5` : ", from its words";
      console.log(
        `${judge}: P(${one} is better) ${aBetter.toFixed(2)}, the mean of both orders${band}.`,
      );
    }
    const verdictText = outcome.kind === "winner"
      ? `${outcome.winner} is better.`
      : outcome.kind === "unscored"
      ? `unscored, ${outcome.message}`
      : `${outcome.kind}.`;
    console.log(`${one} and ${other}, the judges in both orders: ${verdictText}`);
  }
  for (const { candidate, interval } of texts.length > 2 ? judged?.standings ?? [] : []) {
    console.log(`${candidate}: win rate ${shareWords(interval)} by the judges, ties as halves.`);
  }
  const rankings = truth === undefined ? [] : [
    ["the verifier", new Map(standings.map(({ id, mean }) => [id, mean]))] as const,
    ...judged === undefined ? [] : [
      ["the judges", new Map(judged.standings.map(({ candidate, score }) => [candidate, score]))],
    ] as const,
  ];
  const correlated = rankings.map(([by, scores]) => ({ by, ...rankCorrelations(scores, truth!) }));
  for (const { by, n, tau, rho } of correlated) {
    const words = (one: typeof tau) =>
      one.kind === "unavailable" ? `unknown (${one.reason})` : one.coefficient.toFixed(2);
    console.log(
      `The ranking by ${by} with the truth: Kendall's τ-b ${words(tau)}, Spearman's ρ ` +
        `${words(rho)}, n = ${n} texts.`,
    );
  }
  Deno.mkdirSync(out, { recursive: true });
  const path = join(out, "pairwise.json");
  const result = JSON.parse(JSON.stringify({
    standings,
    differences,
    judged: judged ?? null,
    ...truth !== undefined && { truth: correlated },
  }));
  writeJsonAtomic(path, result);
  console.log(`Full result: ${shownPath(path)}`);
  const answers = judged?.comparisons.flatMap(({ judges }) => judges) ?? [];
  const failed = absentJudges.length > 0 || standings.some(({ failed }) => failed.length > 0) ||
    answers.some(({ outcome }) => outcome.kind === "unscored" && isTransient(outcome.reason));
  if (failed) console.log("Run the same command again to repeat what failed.");
  return failed ? EXIT.incomplete : EXIT.done;
}
