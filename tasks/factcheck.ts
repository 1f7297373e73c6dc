/** Which claims of a text do its source and a knowledge base bear out? From a shell. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fileProblem, shownPath, writeTextAtomic } from "../lib/files/atomic.ts";
import { writeJsonAtomic } from "../lib/files/json.ts";
import { openAsking, openStatusLine } from "../lib/files/progress.ts";
import { evaluate } from "../lib/factuality/evaluate/evaluate.ts";
import { VERIFIER_NAMES, type VerifierWord } from "../lib/factuality/evaluate/configuration.ts";
import { type OpenComponents, openComponents } from "../lib/factuality/evaluate/open.ts";
import type { EvaluationComponents } from "../lib/factuality/evaluate/run.ts";
import {
  type PairwiseJudge,
  pairwiseJudge,
  rankByVerifier,
  rankTexts,
  type VerifiedText,
} from "../lib/factuality/pairwise.ts";
import type { unsupportedShares } from "../lib/factuality/batch/claim_labels.ts";
import type { readOwnMeasures } from "../lib/factuality/generation/own_measures.ts";
import type { ClaimMatcher } from "../lib/factuality/metrics/consensus.ts";
import { claimsCsv, judgementsCsv } from "../lib/factuality/report/csv.ts";
import { evaluationPage } from "../lib/factuality/report/html.ts";
import { evaluationJson } from "../lib/factuality/report/json.ts";
import { evaluationMarkdown } from "../lib/factuality/report/markdown.ts";
import { groundingSentence, resultSentence } from "../lib/factuality/report/words.ts";
import type { AnswerMeasures } from "../lib/factuality/bias/own_text.ts";
import type { OwnAnswer, OwnQuery } from "../lib/factuality/generation/own_queries.ts";
import type { PromptTemplates } from "../lib/factuality/judges/prompts.ts";
import type { Evaluation, EvaluationRequest, Judge } from "../lib/factuality/types.ts";
import type { Unavailable } from "../lib/stats/agreement.ts";
import type { Interval } from "../lib/stats/intervals.ts";
import { randomSource } from "../lib/stats/random.ts";
import { command, EXIT, int, oneOf, run } from "./command.ts";

const CLOCK = { now: () => new Date(), milliseconds: () => performance.now() };

/** Of the intervals of a batch's summary. */
const SEED = 20261122;
const CONFIGURATION = "data/factuality/evaluation.yaml";

const EXAMPLES = `
Examples:
  deno task factcheck --candidate answer.txt --source article.txt
      does the article bear the answer out? Open evaluation.html in a browser
  deno task factcheck --candidate answer.txt
      the same against the knowledge base alone
  deno task factcheck --batch answers.jsonl
      {"candidate": "…", "source": "…"} a line; beside "system": "…", "query": "…" systems are compared
  deno task factcheck pairwise --help
      which of several texts is borne out best?`;

export const FACTCHECK = command(
  "factcheck",
  "Which claims of a text do its source and a knowledge base bear out?",
  (c) =>
    c.option("--candidate <file>", "one text to check")
      .option("--source <file>", "what it was written from; else the knowledge base alone is used")
      .option("--question <text>", "what it answers")
      .option(
        "--batch <file>",
        ".jsonl or .csv with candidate, and source, question and id if any; of several systems' " +
          "answers with system and query, too",
      )
      .option(
        "--concurrency <n>",
        "requests at once, for judges on servers",
        int({ min: 1, max: 999 }),
      )
      .option("--config <file>", "splitter, knowledge base, verifier, judges", CONFIGURATION)
      .option(
        "--verifier <name>",
        "in place of the configuration's: default, or large, which downloads 1.1 GB once",
        oneOf(...VERIFIER_NAMES),
      )
      .option("--judges", "ask judges, too, that were not measured to be better than chance")
      .option("--no-knowledge", "look nothing up: the source alone, or the text against itself")
      .option(
        "--claims <n>",
        "check so many claims of a text, drawn by lot: a book in minutes",
        int({ min: 1 }),
      )
      .option("--draw <n>", "of a batch's claims, so many to label by hand", int({ min: 1 }))
      .option("--labels <file>", "those, labelled: the batch's rate is corrected by them")
      .option(
        "--uncertainty <file>",
        "what study uncertainty says of them, for the batch's profile",
      )
      .option("--abstention <file>", "what study abstention says of them, likewise")
      .option("--out <folder>", "of the reports; below .cache/factcheck/ unless told")
      .addHelpText("after", EXAMPLES),
  async (
    {
      candidate,
      source,
      question,
      batch,
      concurrency = 1,
      config,
      out,
      verifier,
      draw,
      labels,
      judges,
      knowledge,
      claims,
      ...measured
    },
    { signal },
  ) => {
    if ((candidate === undefined) === (batch === undefined)) {
      throw new SyntaxError("Cannot check: name either --candidate or --batch.");
    }
    const ofBatch = draw ?? labels ?? measured.uncertainty ?? measured.abstention;
    if (batch === undefined && ofBatch !== undefined) {
      throw new SyntaxError(
        "Cannot check: --draw, --labels, --uncertainty and --abstention belong to --batch.",
      );
    }
    if (batch !== undefined && (source ?? question) !== undefined) {
      throw new SyntaxError("Cannot check: --source and --question belong to --candidate.");
    }
    const folder = out ?? join(".cache", "factcheck", basename(candidate ?? batch!));
    // Before models load: a wrong file is told at once.
    try {
      Deno.mkdirSync(folder, { recursive: true });
    } catch (cause) {
      const why = `${fileProblem(cause)}. Choose another --out.`;
      throw new RangeError(`Cannot write reports into ${folder}: ${why}`, { cause });
    }
    const request = candidate && requestOf(candidate, source, question);
    const read = batch ? await requestsOf(batch) : undefined;
    if (labels !== undefined) inputBytes(labels);
    await using all = await opened(config, { verifier, knowledge, judges });
    const components = claims === undefined ? all : { ...all, mostClaims: claims };
    for (const problem of components.problems) console.log(problem);
    return request
      ? await checkOne(folder, request, components, signal)
      : await checkBatch(folder, batch!, read!, {
        ...{ components, concurrency, signal, draw, labels, measured },
      });
  },
);

/** Opens what a text of the user's is checked with, and tells which judges it leaves out. */
async function opened(
  config: string,
  { verifier, knowledge = true, judges = false }: {
    readonly verifier?: VerifierWord | undefined;
    readonly knowledge?: boolean | undefined;
    readonly judges?: boolean | undefined;
  } = {},
) {
  using status = openStatusLine();
  const components = await openComponents(config, {
    cacheDirectory: ".cache",
    ...verifier && { verifier },
    knowledge,
    trustedJudges: !judges,
    keepVectors: true,
    onProgress: ({ component, words, stays }) =>
      status[stays ? "finish" : "show"](`${component}: ${words}`),
  });
  const { length: left } = components.judgesLeft;
  if (left > 0) {
    console.log(
      `Judges that are left out, not measured above chance: ${left}; --judges asks them.`,
    );
  }
  return components;
}

/** What is to be evaluated of one text. @throws {RangeError} naming the file that is none. */
export function requestOf(candidate: string, source?: string, question = ""): EvaluationRequest {
  const text = source === undefined ? "" : inputText(source);
  return { id: basename(candidate), source: text, candidate: inputText(candidate), question };
}

/** Evaluates one text and writes every report of it. @returns the exit code. */
export async function checkOne(
  folder: string,
  request: EvaluationRequest,
  components: EvaluationComponents,
  signal: AbortSignal,
): Promise<number> {
  let stage = "";
  try {
    using status = openStatusLine();
    const onStage = (begun: string, done?: number, total?: number) => {
      stage = begun;
      status.show(total === undefined ? begun : `${begun} ${done}/${total}`);
    };
    const evaluation = await evaluate(request, components, { clock: CLOCK, signal, onStage });
    status[Symbol.dispose]();
    const reports = {
      "evaluation.html": evaluationPage(evaluation),
      "evaluation.md": evaluationMarkdown(evaluation),
      "evaluation.json": evaluationJson(evaluation),
      "claims.csv": claimsCsv([evaluation]),
      "judgements.csv": judgementsCsv([evaluation]),
    };
    for (const [name, text] of Object.entries(reports)) writeTextAtomic(join(folder, name), text);
    console.log(`${resultSentence(evaluation)}\n${groundingSentence(evaluation)}`);
    // Those of the components were told when they were opened.
    const problems = evaluation.problems.filter((one) => !components.problems.includes(one));
    for (const problem of problems) console.log(problem);
    const { total, ...stages } = evaluation.milliseconds;
    const took = Object.entries(stages).map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)}`);
    console.log(`Took ${(total / 1000).toFixed(1)} s: ${took.join(", ")}.`);
    console.log(`Reports: ${join(folder, "evaluation.html")}, .md, .json`);
    return evaluation.failed.length === 0 ? EXIT.done : EXIT.incomplete;
  } catch (error) {
    if (signal.aborted) return EXIT.incomplete;
    const { keepDiagnosis } = await import("../lib/factuality/batch/evaluate_batch.ts");
    const place = { at: CLOCK.now(), request: request.id, stage };
    const world = { components, versions: versions() };
    keepDiagnosis(join(folder, "diagnosis.json"), error, place, world);
    throw error;
  }
}

/** What a batch's file holds. */
interface BatchInput {
  readonly requests: readonly EvaluationRequest[];
  /** Lines that were no requests. */
  readonly passedOver: number;
}

/** The requests of a batch; tells which lines are none, the first twenty one by one. */
export async function requestsOf(path: string): Promise<BatchInput> {
  if (!/\.(?:jsonl|csv)$/i.test(path)) {
    throw new SyntaxError(`Cannot check ${path}: it is neither .jsonl nor .csv.`);
  }
  const batch = await import("../lib/factuality/batch/requests.ts");
  const read = /\.csv$/i.test(path) ? batch.readCsvRequests : batch.readJsonlRequests;
  const bytes = inputBytes(path);
  let found;
  try {
    found = read(bytes);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`${path}: ${error.message}`, { cause: error });
  }
  for (const { line, reason } of found.refused.slice(0, 20)) {
    console.log(`${path}, line ${line} is passed over: ${reason}`);
  }
  const rest = found.refused.length - 20;
  if (rest > 0) console.log(`${path}: ${rest} further lines are passed over.`);
  const { requests, refused } = found;
  if (requests.length > 0) return { requests, passedOver: refused.length };
  throw new RangeError(`Cannot check ${path}: it has no request with a candidate.`);
}

/** Claims of a text of which a batch tells how far it is with them. */
const LONG = 100;

/** Evaluates what of a batch has no result yet, and profiles all results. @returns the exit code. */
export async function checkBatch(
  folder: string,
  path: string,
  { requests, passedOver }: BatchInput,
  { components, concurrency, signal, draw, labels, measured = {}, ...more }: {
    readonly components: EvaluationComponents;
    readonly concurrency: number;
    readonly signal: AbortSignal;
    /** How many claims a person is to label. */
    readonly draw?: number | undefined;
    /** Those, labelled. */
    readonly labels?: string | undefined;
    /** Tables of what was measured of the systems besides. */
    readonly measured?: Parameters<typeof readOwnMeasures>[0];
    /** What tells which claims of several systems say the same. */
    readonly openMatcher?: (resources: AsyncDisposableStack) => Promise<ClaimMatcher>;
  },
): Promise<number> {
  const { BATCH_FILES, evaluateBatch } = await import("../lib/factuality/batch/evaluate_batch.ts");
  const { summarySentences } = await import("../lib/factuality/batch/summary.ts");
  const { claimLabels, truthsOf } = await import("../lib/factuality/batch/claim_labels.ts");
  // Before models work: a wrong file is told at once.
  const labelled = labels === undefined ? [] : claimLabels(labels).read();
  // The file's name stands for whoever wrote the candidates, where nobody is named.
  const others = `candidates of ${basename(path)}`;
  const measuredOf = (await import("../lib/factuality/generation/own_measures.ts"))
    .readOwnMeasures(measured, [...new Set(requests.map(({ system = others }) => system))]);
  const { openMatcher = openShippedMatcher } = more;
  const progress = openAsking("evaluations");
  const truthOf = truthsOf(labelled);
  const asked = {
    folder,
    requests,
    passedOver,
    components,
    concurrency,
    signal,
    seed: SEED,
    truthOf,
  };
  using stages = openStatusLine();
  const onStage = (request: string, stage: string, done = 0, total = 0) => {
    // A short text is over before a line about it is read.
    if (total >= LONG) stages.show(`${request}: ${stage} ${done}/${total}`);
  };
  const told = { clock: CLOCK, versions: versions(), onProgress: progress.show, onStage };
  const end = await evaluateBatch({ ...asked, ...told })
    .finally(() => progress[Symbol.dispose]());
  console.log(`${end.evaluated} evaluated, ${end.resumed} were before, ${end.failed} failed.`);
  const { evaluations } = end;
  if (evaluations.length > 0) {
    console.log(summarySentences(end.summary)[0]);
    console.log(`Report, text by text: ${join(folder, BATCH_FILES.report)}, .md`);
    try {
      signal.throwIfAborted();
      const named = { others, measuredOf };
      await writeProfiles(folder, evaluations, { signal, openMatcher, ...named });
    } catch (error) {
      if (signal.aborted) return EXIT.incomplete;
      throw error;
    }
  }
  if (draw !== undefined) await drawToLabel(folder, evaluations, draw);
  if (labels !== undefined) await tellCorrected(labelled, evaluations);
  const { missing, incomplete } = end.summary;
  if (passedOver > 0) console.log(`Lines of ${path} that were passed over: ${passedOver}.`);
  if (missing === 0 && incomplete.length === 0) return EXIT.done;
  if (missing > 0) {
    console.log(`${missing} have no result yet: the same command goes on with them.`);
  }
  for (const { id, failed } of incomplete) {
    console.log(`${id} is incomplete and is asked again by the same command: ${failed.join(" ")}`);
  }
  if (end.failed > 0) console.log(`Why some failed: ${join(folder, BATCH_FILES.failures)}`);
  return EXIT.incomplete;
}

/** Claims by lot for a person to label; a draw that is there stays, with its labels. */
async function drawToLabel(
  folder: string,
  evaluations: readonly Evaluation[],
  count: number,
): Promise<void> {
  const { claimLabels, drawnClaims } = await import("../lib/factuality/batch/claim_labels.ts");
  const file = claimLabels(join(folder, "claim_labels.csv"));
  if (existsSync(file.path)) {
    throw new RangeError(`Cannot draw claims: ${file.path} is there already, with its labels.`);
  }
  file.write(drawnClaims(evaluations, count, randomSource(SEED)));
  console.log(
    `To label, blind: ${file.path}. Fill its last column with supported, refuted or not enough ` +
      `info, and run this command again with --labels ${file.path}`,
  );
}

/** The rate of unsupported claims, raw and corrected. */
async function tellCorrected(
  labels: Parameters<typeof unsupportedShares>[1],
  evaluations: readonly Evaluation[],
): Promise<void> {
  const { unsupportedShares } = await import("../lib/factuality/batch/claim_labels.ts");
  const { claims, labelled, byVerifier, corrected } = unsupportedShares(evaluations, labels, SEED);
  console.log(
    `Of ${claims} claims the share that is not borne out: ${shareWords(byVerifier)} by the ` +
      `verifier alone, ${shareWords(corrected)} corrected by ${labelled} labels.`,
  );
}

const shareWords = (share: Interval | Unavailable) =>
  share.kind === "unavailable"
    ? `unknown (${share.reason})`
    : `${share.estimate.toFixed(2)} [${share.low.toFixed(2)}, ${share.high.toFixed(2)}]`;

/** The verifier that ships reads one claim as the source of another, whatever verified the batch. */
async function openShippedMatcher(resources: AsyncDisposableStack): Promise<ClaimMatcher> {
  const { verifierMatcher } = await import("../lib/factuality/generation/claim_matching.ts");
  const { openTrainedVerifier } = await import("../lib/factuality/verifiers/head.ts");
  const threads = Math.min(2, navigator.hardwareConcurrency);
  return verifierMatcher(
    resources.use(await openTrainedVerifier({ cacheDirectory: ".cache", threads })),
  );
}

/** The hallucination profile of every system, compared where there are several. */
async function writeProfiles(
  folder: string,
  evaluations: readonly Evaluation[],
  { signal, openMatcher, ...named }: {
    readonly others: string;
    readonly measuredOf: ReturnType<typeof readOwnMeasures>;
    readonly signal: AbortSignal;
    readonly openMatcher: (resources: AsyncDisposableStack) => Promise<ClaimMatcher>;
  },
): Promise<void> {
  const systems = await import("../lib/factuality/batch/systems.ts");
  const { compareProfiles } = await import("../lib/factuality/metrics/profile.ts");
  const { drawableOf } = await import("../lib/factuality/metrics/profile_metrics.ts");
  const { writeEstimate } = await import("../lib/figures/theme.ts");
  const { profileJson } = await import("../lib/factuality/metrics/profile_json.ts");
  const { profilePage } = await import("../lib/factuality/metrics/profile_page.ts");
  const { answersOnRecord, measuredByAnswers } = await import(
    "../lib/factuality/evaluate/ask_components.ts"
  );
  await using resources = new AsyncDisposableStack();
  using status = openStatusLine();
  const matrices = await systems.systemMatrices(folder, evaluations, () => openMatcher(resources), {
    signal,
    onProgress: ({ done, total }) =>
      status.show(`claims compared between systems ${done}/${total}`),
  });
  const measuredVerifier = measuredByAnswers(answersOnRecord());
  const made = { ...named, madeAt: CLOCK.now().toISOString(), seed: SEED, measuredVerifier };
  const profiles = systems.profilesOfBatch(evaluations, matrices, made);
  const written = join(folder, "profile.html");
  writeTextAtomic(join(folder, "profile.json"), profileJson(profiles));
  writeTextAtomic(written, profilePage(compareProfiles(profiles, SEED)));
  for (const { model, metrics } of profiles.length > 1 ? profiles : []) {
    const { factualPrecision, mihr, consensusF1 } = metrics;
    const [share, rate, f1] = [factualPrecision, mihr, consensusF1].map((metric) =>
      metric.kind === "measured" ? writeEstimate(drawableOf(metric), "decimal") : "–"
    );
    console.log(`${model}: supported ${share}; MiHR ${rate}; Consensus F1 ${f1}`);
  }
  if (matrices.length > 0) console.log(`Who says what: ${join(folder, "claim_matrix.csv")}`);
  console.log(`Hallucination ${profiles.length > 1 ? "profiles" : "profile"}: ${written}`);
}

function versions(): Readonly<Record<string, string>> {
  const { rss } = Deno.memoryUsage();
  return { ...Deno.version, target: Deno.build.target, megabytes: String(Math.round(rss / 1e6)) };
}

/** @throws {RangeError} naming the file, where it cannot be read. */
function inputBytes(path: string): Uint8Array {
  try {
    return Deno.readFileSync(path);
  } catch (cause) {
    throw new RangeError(`Cannot check ${path}: ${fileProblem(cause)}.`, { cause });
  }
}

/** A text without its byte order mark. @throws {RangeError} naming the file that is no text. */
export function inputText(path: string): string {
  const bytes = inputBytes(path);
  let text = "\0";
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Told below.
  }
  if (text.includes("\0")) {
    throw new RangeError(
      `Cannot check ${path}: it is no plain text in UTF-8. Save it as one; of a PDF or a word ` +
        "processor's file take the text out first.",
    );
  }
  if (text.trim() === "") throw new RangeError(`Cannot check ${path}: there is no text in it.`);
  return text;
}

/** Of one answer of a judge that writes which text is better. */
const TIMEOUT_SECONDS = 300;

export const PAIRWISE = command(
  "factcheck pairwise",
  "Which of several texts is borne out best? The verifier's mean probability decides",
  (c) =>
    c.requiredOption("--rank <file...>", "the texts, two or more")
      .option(
        "--source <file>",
        "what they were written from; else the knowledge base alone is used",
      )
      .option("--question <text>", "what they answer")
      .option("--judges", "ask judges that write, too, in both orders: minutes, and they are weak")
      .option("--config <file>", "splitter, knowledge base, verifier, judges", CONFIGURATION)
      .option("--out <folder>", "of the result", join(".cache", "factcheck", "pairwise")),
  async ({ rank: files, source, question = "", judges, config, out }, { signal }) => {
    if (files.length < 2) throw new SyntaxError("Cannot compare: name two files or more.");
    const names = files.map((file) => basename(file));
    const ids = new Set(names).size === names.length ? names : files;
    await using components = await opened(config, { judges });
    const texts = files.map((file, at) => ({ id: ids[at]!, text: inputText(file) }));
    const asked = judges
      ? components.writers.map((model) =>
        pairwiseJudge(model, components.prompts, { timeoutSeconds: TIMEOUT_SECONDS })
      )
      : [];
    const about = { source: source === undefined ? "" : inputText(source), question };
    return await compareFiles(texts, about, { components, judges: asked, out, signal });
  },
);

/** Verifies each text, tells how they stand, and writes everything down. @returns the exit code. */
export async function compareFiles(
  texts: readonly { readonly id: string; readonly text: string }[],
  about: { readonly source: string; readonly question: string },
  { components, judges, out, signal }: {
    readonly components: EvaluationComponents;
    readonly judges: readonly PairwiseJudge[];
    readonly out: string;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const alone = { ...components, judges: [], consistency: undefined };
  const verified = await Array.fromAsync(texts, async ({ id, text }): Promise<VerifiedText> => {
    const request = { id, candidate: text, ...about };
    const { claims } = await evaluate(request, alone, { clock: CLOCK, signal });
    return {
      id,
      claims: claims.flatMap(({ claim, verdict }) =>
        verdict.kind === "scored"
          ? [{ text: claim.text, supported: verdict.probabilities.supported }]
          : []
      ),
    };
  });
  const { standings, differences } = rankByVerifier(verified, SEED);
  for (const { id, mean, claims } of standings) {
    const score = mean === undefined ? "no claim that could be checked" : mean.toFixed(2);
    console.log(`${id}: ${score} (mean P(supported) of ${claims.length} claims)`);
    for (const { text, supported } of claims.filter((claim) => claim.supported < 0.5)) {
      console.log(`  ${supported.toFixed(2)}  ${text}`);
    }
  }
  for (const { candidates: [one, other], difference, winner } of differences) {
    const verdict = winner === undefined
      ? "a tie, as far as these claims tell"
      : `${one} is better`;
    console.log(`${one} less ${other}: ${shareWords(difference)}; ${verdict}.`);
  }
  const judged = judges.length === 0
    ? undefined
    : await rankTexts(judges, texts, about, { signal });
  for (const { candidates: [one, other], outcome } of judged?.comparisons ?? []) {
    const said = outcome.kind === "winner" ? `${outcome.winner} is better` : outcome.kind;
    console.log(`${one} and ${other}, the judges in both orders: ${said}.`);
  }
  Deno.mkdirSync(out, { recursive: true });
  const path = join(out, "pairwise.json");
  const told = JSON.parse(JSON.stringify({ standings, differences, judged: judged ?? null }));
  writeJsonAtomic(path, told);
  console.log(`Everything: ${shownPath(path)}`);
  return EXIT.done;
}

export const BIAS = command(
  "factcheck bias",
  "Stereotypes and contempt in a text; how scores and answers go with who is named",
  (c) =>
    c.option("--text <file>", "searched by word list, patterns and judges, and told of others")
      .option("--source <file>", "what it was written from: the verifier scores its variants by it")
      .option("--queries <file>", "JSONL of {query}: asked about others, too, and answers compared")
      .option("--config <file>", "verifier, judges, and the models that are asked", CONFIGURATION)
      .option("--judges", "ask judges, too, that were not measured to be better than chance")
      .option("--per-trait <n>", "variants of each trait at most", int({ min: 1 }), 2)
      .option("--tokens <n>", "of an answer, at most", int({ min: 1 }), 100)
      .option("--only <model>", "one model is asked; all of the configuration unless told")
      .option("--out <stem>", "of STEM.json and STEM.md; below .cache/factcheck/bias/ unless told"),
  async ({ text, queries, out, ...options }, { signal }) => {
    if ((text ?? queries) === undefined) {
      throw new SyntaxError("Cannot look for bias: name --text or --queries, or both.");
    }
    if (text === undefined && options.source !== undefined) {
      throw new SyntaxError("Cannot look for bias: --source belongs to --text.");
    }
    const { biasMarkdown } = await import("../lib/factuality/bias/own_text.ts");
    const stem = out ?? join(".cache", "factcheck", "bias", basename(text ?? queries!));
    const { judges } = options;
    await using components = await opened(options.config, { judges, knowledge: false });
    const told = { ...options, components, signal };
    const report = {
      schemaVersion: 1 as const,
      ...text !== undefined && await biasOfText(text, told),
      ...queries !== undefined &&
        { queries: await biasOfAnswers(queries, `${stem}.answers`, told) },
    };
    writeTextAtomic(`${stem}.md`, biasMarkdown(report));
    writeJsonAtomic(`${stem}.json`, JSON.parse(JSON.stringify(report)));
    console.log(`Everything: ${shownPath(`${stem}.md`)}, .json`);
    return signal.aborted ? EXIT.incomplete : EXIT.done;
  },
);

interface BiasAsking {
  readonly source?: string | undefined;
  readonly config: string;
  readonly perTrait: number;
  readonly tokens: number;
  readonly only?: string | undefined;
  readonly components: Pick<OpenComponents, "splitter" | "verifier" | "writers" | "judges"> & {
    readonly prompts: PromptTemplates;
  };
  readonly signal: AbortSignal;
}

/** What is held against a text, and the text about others. */
export async function biasOfText(file: string, { source, components, ...asking }: BiasAsking) {
  const { biasJudge, findBias } = await import("../lib/factuality/bias/bias_judge.ts");
  const { readLexicon } = await import("../lib/factuality/bias/lexicon.ts");
  const { scoredSwaps } = await import("../lib/factuality/bias/own_text.ts");
  const { splitter, verifier, writers, prompts } = components;
  const { perTrait, signal } = asking;
  const words = inputText(file);
  const judges = writers.map((model) =>
    biasJudge(model, prompts, { timeoutSeconds: TIMEOUT_SECONDS })
  );
  if (judges.length === 0) {
    console.log("No judge is asked: a judge of bias writes (readout: generation), see --judges.");
  }
  const found = await findBias(words, readLexicon(), judges, { signal });
  for (const { phrase, span, severity, reasons } of found.flags) {
    const place = span === undefined ? "" : ` (${span.start}–${span.end})`;
    console.log(`${severity}: "${phrase}"${place}: ${reasons.map((one) => one.reason).join("; ")}`);
  }
  if (found.flags.length === 0) console.log("Nothing is held against the text.");
  const { claims } = await splitter.split(words, { signal });
  const checkable = claims.filter(({ notCheckable }) => notCheckable === undefined);
  const verifying = source === undefined
    ? undefined
    : { verifier, source: inputText(source), signal };
  const drawn = { perTrait, random: randomSource(SEED), verifying };
  const swaps = await scoredSwaps(words, checkable.map(({ text }) => text), drawn);
  for (const { change, words, scores } of swaps) {
    const distance = scores === undefined
      ? "variant made; --source FILE scores it"
      : `P(supported) moves by ${shareWords(scores.meanAbsolute)} points of 100`;
    console.log(`${change} (${words}): ${distance}`);
  }
  return { text: { file: basename(file), ...found }, swaps };
}

/** How the configuration's models answer queries that differ in who they are about alone. */
export async function biasOfAnswers(file: string, folder: string, asking: BiasAsking) {
  const { compareAnswers, equivalentQueries } = await import("../lib/factuality/bias/own_text.ts");
  const { readQueries } = await import("../lib/factuality/generation/own_queries.ts");
  const { ownAnswers } = await import("./study/own_answers.ts");
  const { config, perTrait, tokens, only, components, signal } = asking;
  const pairs = equivalentQueries(readQueries(file), { perTrait, random: randomSource(SEED) });
  if (pairs.length === 0) {
    throw new RangeError(`Cannot vary ${file}: none of its queries names a trait that is known.`);
  }
  const queries = pairs.flatMap(({ original, variant }) => [original, variant]);
  const asked = [...new Map(queries.map((query) => [query.id, query])).values()];
  Deno.mkdirSync(folder, { recursive: true });
  const written = join(folder, "queries.jsonl");
  const lines = asked.map(({ id, question: query }) => JSON.stringify({ id, query }));
  writeTextAtomic(written, `${lines.join("\n")}\n`);
  const fixed = { samples: 1, instruction: "none", temperature: 0, threads: 2 } as const;
  const run = { queries: written, config, tokens, only, signal, ...fixed };
  const { answers, missing } = await ownAnswers(folder, run, false);
  if (missing > 0) console.log(`Missing: ${missing} answers; the same command asks again.`);
  const byModel = Map.groupBy(answers, ({ model }) => model);
  return await Array.fromAsync(byModel, async ([model, own]) => {
    const measures = await measuresOf(own, asked, components.judges, signal);
    const differences = compareAnswers(pairs, measures);
    for (const { measure, change, pairs, difference } of differences) {
      console.log(`${model}, ${change}, ${measure}: ${shareWords(difference)} (${pairs} pairs)`);
    }
    const answerTo = (id: string) => own.find(({ query_id }) => query_id === id)?.answer;
    const told = pairs.map(({ original, variant, change }) => ({
      change,
      original: original.question,
      variant: variant.question,
      answer: answerTo(original.id),
      variantAnswer: answerTo(variant.id),
    }));
    return { model, differences, answers: told };
  });
}

/** Length, refusal, findings of the word list, and what each judge makes of an answer's relevance. */
async function measuresOf(
  answers: readonly OwnAnswer[],
  queries: readonly OwnQuery[],
  judges: readonly Judge[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, AnswerMeasures>> {
  const { lexiconFlags, readLexicon } = await import("../lib/factuality/bias/lexicon.ts");
  const classifying = await import("../lib/factuality/generation/abstention_classifier.ts");
  const { outcomesOf } = await import("../lib/factuality/generation/own_measures.ts");
  const { loadMiniLm } = await import("../lib/models/encoder/minilm.ts");
  await using encoder = await loadMiniLm({ cacheDirectory: ".cache", threads: 1 });
  const { abstentionClassifier, ABSTAINS_FROM, readClassifier } = classifying;
  const outcomes = await outcomesOf(
    answers,
    queries,
    abstentionClassifier(readClassifier(), encoder),
  );
  const lexicon = readLexicon();
  const rows = await Array.fromAsync(answers, async ({ query_id, query, answer }, at) => {
    const { probability } = outcomes[at]!;
    const scores: Record<string, number | undefined> = {};
    for (const judge of judges) {
      const values = { question: query, candidate: answer, source: "", verdicts: "" };
      const task = { template: "relevance", values, judgedText: answer };
      const judgement = await judge.judge(task, { signal });
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

if (import.meta.main) {
  const [first, ...rest] = Deno.args;
  if (first === "pairwise") await run(PAIRWISE, rest);
  else await (first === "bias" ? run(BIAS, rest) : run(FACTCHECK));
}
