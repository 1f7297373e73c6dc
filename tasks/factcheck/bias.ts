/** Command on bias in a text, and on the effect of the person named. */
import { basename, join } from "node:path";
import { biasJudge, findBias, lexiconFlags } from "../../lib/factuality/bias/lexicon.ts";
import { readLexicon } from "../../lib/factuality/bias/lexicon.ts";
import type { BiasFindings } from "../../lib/factuality/bias/lexicon.ts";
import {
  type AnswerMeasures,
  biasMarkdown,
  compareAnswers,
  equivalentQueries,
  scoredSwaps,
} from "../../lib/factuality/own/bias_report.ts";
import { nonEnglishSentence } from "../../lib/factuality/check/check.ts";
import type { OpenComponents } from "../../lib/factuality/check/components.ts";
import {
  ABSTAINS_FROM,
  abstentionClassifier,
  readClassifier,
} from "../../lib/factuality/own/abstention_classifier.ts";
import { outcomesOf } from "../../lib/factuality/own/query_measures.ts";
import {
  readQueries,
  type UserAnswer,
  type UserQuery,
} from "../../lib/factuality/own/user_queries.ts";
import type { PromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { isTransient, type Judgement, type Verdict } from "../../lib/factuality/types.ts";
import { requireWritable, shownPath, writeTextAtomic } from "../../lib/files/atomic.ts";
import { jsonLines, writeJsonAtomic } from "../../lib/files/json.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int } from "../command.ts";
import { userAnswers } from "../user_answers.ts";
import { CONFIGURATION, inputText, openForText, reportFolder, SEED } from "./opening.ts";
import { shareWords, TIMEOUT_SECONDS } from "./opening.ts";

export const TASK = command(
  "factcheck bias",
  "Stereotypes and contempt in a text, and the effect of the person named on scores and answers",
  (c) =>
    c.option(
      "--text <file>",
      "searched by word list, patterns and judges; its variants name other people",
    )
      .option("--source <file>", "its source, by which the verifier scores the variants")
      .option(
        "--queries <file>",
        "JSONL of {query}, also asked about other people, with a comparison of the answers",
      )
      .option("--config <file>", "verifier, judges, and the models that answer", CONFIGURATION)
      .option("--judges", "also ask judges that were not measured above chance")
      .option("--per-trait <n>", "maximum number of variants per trait", int({ min: 1 }), 2)
      .option("--tokens <n>", "maximum length of an answer", int({ min: 1 }), 100)
      .option("--only <model>", "ask one model; all of the configuration by default")
      .option("--out <stem>", "for STEM.json and STEM.md; below .cache/factcheck/bias/ by default"),
  async ({ text, source, queries, out, ...options }, { signal }) => {
    if ((text ?? queries) === undefined) {
      throw new SyntaxError("Cannot look for bias: name --text or --queries, or both.");
    }
    if (text === undefined && source !== undefined) {
      throw new SyntaxError("Cannot look for bias: --source belongs to --text.");
    }
    const stem = out ?? reportFolder([text ?? queries!], "bias");
    const { judges } = options;
    // Before models load, so that a wrong file is reported at once.
    const given = text === undefined ? undefined : { file: basename(text), words: inputText(text) };
    const about = source === undefined ? undefined : inputText(source);
    for (const ending of ["md", "json"]) requireWritable(`${stem}.${ending}`);
    await using components = await openForText(options.config, { judges, knowledge: false });
    const failures: Failures = new Map(components.absentJudges?.map((problem) => [problem, 1]));
    const asking = { ...options, components, failures, signal };
    const findings = {
      // First, since a file whose queries cannot be varied is rejected at once.
      ...queries !== undefined &&
        { queries: await biasOfAnswers(queries, `${stem}.answers`, asking) },
      ...given && await biasOfText(given, { ...asking, source: about }),
    };
    const failed = failures.entries().map(([what, times]) => ({ what, times })).toArray();
    const report = { schemaVersion: 1 as const, failed, ...findings };
    writeTextAtomic(`${stem}.md`, biasMarkdown(report));
    writeJsonAtomic(`${stem}.json`, JSON.parse(JSON.stringify(report)));
    console.log(`Full report: ${shownPath(`${stem}.md`)}, .json`);
    if (failed.length === 0) return EXIT.done;
    for (const { what, times } of failed) {
      console.log(`${what}${times > 1 ? ` (${times} times)` : ""}`);
    }
    console.log("Run the same command again to repeat what failed.");
    return EXIT.incomplete;
  },
);

/** Failed questions that may succeed later, with their counts. */
type Failures = Map<string, number>;

/** Counts a component's failures. An unreadable answer is not counted. */
function noteFailure(
  failures: Failures,
  by: string,
  answer: Verdict | Judgement | BiasFindings["judges"][number]["answer"],
): void {
  if (answer.kind !== "unscored" || !isTransient(answer.reason)) return;
  const what = `${by} gave no answer: ${answer.message}`;
  failures.set(what, (failures.get(what) ?? 0) + 1);
}

interface BiasAsking {
  /** Text of the source. */
  readonly source?: string | undefined;
  readonly config: string;
  readonly perTrait: number;
  readonly tokens: number;
  readonly only?: string | undefined;
  readonly components: Pick<OpenComponents, "splitter" | "verifier" | "writers" | "judges"> & {
    readonly prompts: PromptTemplates;
  };
  readonly failures: Failures;
  readonly signal: AbortSignal;
}

/** Reports bias in a text, and in its counterfactual variants. */
export async function biasOfText(
  { file, words }: Readonly<Record<"file" | "words", string>>,
  { source, components, ...asking }: BiasAsking,
) {
  const { splitter, verifier, writers, prompts } = components;
  const { perTrait, failures, signal } = asking;
  const other = await nonEnglishSentence({ candidate: words, source: source ?? "" });
  const foreign = other &&
    `${other} The word list, patterns and rewriting rules are English as well.`;
  if (foreign !== undefined) console.log(foreign);
  const judges = writers.map((model) =>
    biasJudge(model, prompts, { timeoutSeconds: TIMEOUT_SECONDS })
  );
  if (judges.length === 0) {
    console.log(
      "No judge is asked: none that may be asked writes its answers (readout: generation).",
    );
  }
  const findings = await findBias(words, readLexicon(), judges, { signal });
  for (const { judge, answer } of findings.judges) {
    if (answer.kind === "unscored") console.log(`${judge} gave no answer: ${answer.message}`);
    noteFailure(failures, judge, answer);
  }
  for (const { phrase, span, severity, reasons } of findings.flags) {
    const place = span === undefined ? "" : ` (${span.start}–${span.end})`;
    console.log(`${severity}: "${phrase}"${place}: ${reasons.map((one) => one.reason).join("; ")}`);
  }
  console.log(
    findings.severity === undefined
      ? "No biased wording was found in the text."
      : `Severity of the text: ${findings.severity}.`,
  );
  const { claims } = await splitter.split(words, { signal });
  const checkable = claims.filter(({ notCheckable }) => notCheckable === undefined);
  const onVerdict = (verdict: Verdict) =>
    noteFailure(failures, `The verifier ${verifier.name}`, verdict);
  const verifying = source === undefined ? undefined : { verifier, source, onVerdict, signal };
  const drawn = { perTrait, random: randomSource(SEED), verifying };
  const swaps = await scoredSwaps(words, checkable.map(({ text }) => text), drawn);
  for (const { change, words, scores } of swaps) {
    const distance = scores === undefined
      ? "not scored (--source FILE scores it); its text is in the .json"
      : `P(supported) changes by ${shareWords(scores.meanAbsolute)} percentage points on average`;
    console.log(`${change} (${words}): ${distance}`);
  }
  return {
    ...foreign !== undefined && { foreign },
    text: { file, ...findings },
    swaps,
  };
}

/** Compares the models' answers to queries that differ only in the person. */
async function biasOfAnswers(file: string, folder: string, asking: BiasAsking) {
  const { config, perTrait, tokens, only, failures, signal } = asking;
  const pairs = equivalentQueries(readQueries(file), { perTrait, random: randomSource(SEED) });
  if (pairs.length === 0) {
    throw new RangeError(`Cannot vary ${file}: none of its queries names a trait that is known.`);
  }
  const queries = pairs.flatMap(({ original, variant }) => [original, variant]);
  const asked = [...new Map(queries.map((query) => [query.id, query])).values()];
  Deno.mkdirSync(folder, { recursive: true });
  const written = join(folder, "queries.jsonl");
  writeTextAtomic(written, jsonLines(asked.map(({ id, question: query }) => ({ id, query }))));
  const fixed = { samples: 1, instruction: "none", temperature: 0, threads: 2 } as const;
  const run = { queries: written, config, tokens, only, signal, ...fixed };
  const { answers, missing } = await userAnswers(folder, run, false);
  signal.throwIfAborted();
  if (missing > 0) failures.set("An answer of a model is missing", missing);
  const byModel = Map.groupBy(answers, ({ model }) => model);
  return await Array.fromAsync(byModel, async ([model, modelAnswers]) => {
    const measures = await measuresOf(modelAnswers, asked, asking);
    const differences = compareAnswers(pairs, measures);
    for (const { measure, change, pairs, difference } of differences) {
      console.log(`${model}, ${change}, ${measure}: ${shareWords(difference)} (${pairs} pairs)`);
    }
    const answerTo = (id: string) => modelAnswers.find(({ query_id }) => query_id === id)?.answer;
    const pairRows = pairs.map(({ original, variant, change }) => ({
      change,
      original: original.question,
      variant: variant.question,
      answer: answerTo(original.id),
      variantAnswer: answerTo(variant.id),
    }));
    return { model, differences, answers: pairRows };
  });
}

/**
 * Measures an answer: length, abstention, word-list findings, and each judge's score of relevance.
 */
async function measuresOf(
  answers: readonly UserAnswer[],
  queries: readonly UserQuery[],
  { components: { judges }, failures, signal }: BiasAsking,
): Promise<ReadonlyMap<string, AnswerMeasures>> {
  await using encoder = await loadMiniLm({ cacheDirectory: ".cache", threads: 1 });
  const classifier = abstentionClassifier(readClassifier(), encoder);
  const outcomes = await outcomesOf(answers, queries, classifier);
  const lexicon = readLexicon();
  const rows = await Array.fromAsync(answers, async ({ query_id, query, answer }, at) => {
    const { probability } = outcomes[at]!;
    const scores: Record<string, number | undefined> = {};
    for (const judge of judges) {
      const values = { question: query, candidate: answer, source: "", verdicts: "" };
      const task = { template: "relevance", values, judgedText: answer };
      const judgement = await judge.judge(task, { signal });
      noteFailure(failures, judge.name, judgement);
      const score = judgement.kind === "scored" ? judgement.score : undefined;
      scores[`relevance of 100, by ${judge.name}`] = score;
    }
    const measures: AnswerMeasures = {
      "words": answer.split(/\s+/u).filter(Boolean).length,
      "declines (0 or 1)": probability === "" ? undefined : Number(probability >= ABSTAINS_FROM),
      "findings of the word list": lexiconFlags(answer, lexicon).length,
      ...scores,
    };
    return [query_id, measures] as const;
  });
  return new Map(rows);
}
