import process from "node:process";
import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import { type Shown, shownPassages } from "../../lib/factuality/fine_tuning/training_pairs.ts";
import type { JudgedCase } from "../../lib/factuality/training/measured_verdicts.ts";
import { packPair } from "../../lib/factuality/verifiers/cross_encoder_pair.ts";
import { sourceSentences } from "../../lib/factuality/verifiers/cross_encoder_sentences.ts";
import { crossEncoderProbabilities } from "../../lib/factuality/verifiers/cross_encoder_verifier.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import type { CrossEncoder } from "../../lib/models/encoder/cross_encoder.ts";
import {
  answerKey,
  answerRow,
  answersByKey,
  type NetworkAnswer,
  openAnswerTable,
} from "./answer_table.ts";

/** Milliseconds that this process has computed, on all its threads. */
function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function answerOf(
  network: CrossEncoder,
  { claim, passages }: LabelledCase,
  shown: Shown,
): Promise<NetworkAnswer> {
  const begun = processorMilliseconds();
  const tokenise = (text: string) => network.tokenise(text);
  const sentences = sourceSentences(shownPassages(passages, shown), tokenise);
  const pair = packPair(claim, sentences, tokenise, network);
  const probabilities = pair === undefined
    ? undefined
    : crossEncoderProbabilities(await network.logits(pair.ids), network.temperature);
  return { probabilities, processorMilliseconds: processorMilliseconds() - begun };
}

/** A network's answers to cases, and what an answer takes. */
export interface AskedNetwork {
  readonly judged: readonly JudgedCase[];
  /** Processor time of each answer, in milliseconds. */
  readonly milliseconds: readonly number[];
}

/** Whom to ask, what it sees, and where answers are kept. */
export interface Asking {
  readonly network: CrossEncoder;
  readonly shown: Shown;
  /** A table of the cache: answers of earlier runs are read from it. */
  readonly table: string;
  readonly label: string;
  readonly signal: AbortSignal;
}

/** Asks what the table lacks, each answer on disk as it comes; undefined where Ctrl-C ended it. */
export async function askNetwork(
  cases: readonly LabelledCase[],
  { network, shown, table, label, signal }: Asking,
): Promise<AskedNetwork | undefined> {
  using answers = openAnswerTable(table);
  const known = new Map(answersByKey(answers.rows));
  const key = (one: LabelledCase) => answerKey(String(network.settings["weightsSha256"]), one);
  const left = cases.filter((one) => !known.has(key(one)));
  using progress = openProgress(label, cases.length, { resumed: cases.length - left.length });
  for (const one of left) {
    if (signal.aborted) return undefined;
    const answer = await answerOf(network, one, shown);
    answers.append(answerRow(String(network.settings["weightsSha256"]), one, answer));
    known.set(key(one), answer);
    progress.advance();
  }
  const all = cases.map((one) => known.get(key(one))!);
  return {
    judged: cases.map(({ label, cluster }, index) => ({
      ...{ label, cluster },
      probabilities: all[index]!.probabilities,
    })),
    milliseconds: all.map(({ processorMilliseconds }) => processorMilliseconds),
  };
}
