/**
 * Describes a study of minimal pairs: its files, panels and question.
 * @module
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { lockFile } from "../files/atomic.ts";
import { type Column, type DataFile, field, table } from "../files/table.ts";
import type { KeyedCallsOptions } from "../models/hosted/keyed_calls.ts";
import type { MinimalPair } from "./pair.ts";

/** Paths of the files with models' answers and scores. */
export interface AnswerFiles {
  /** `evaluation_results.csv`, in the specification's five columns. */
  readonly responses: string;
  /** `evaluation_asked.csv`: the hash of each answer's question. */
  readonly asked: string;
  /** `invalid_answers.csv`: the text of every answer without a valid choice. */
  readonly invalidAnswers: string;
  readonly likelihoods: string;
  /**
   * `failed.csv`: questions without an answer, each with the reason. Absent in the project's
   * studies.
   */
  readonly failed?: string;
  /** `tokens.csv` and `words.csv`, if requested. */
  readonly tokens?: string | undefined;
  readonly words?: string | undefined;
  /** `evaluation_settings.json`: the models' settings by hash. */
  readonly settings: string;
}

export interface HostedConnection {
  readonly env: string;
  /** File that records when each Groq key's quota is restored. */
  readonly usage: string;
  /** Address and clock of a fake server, in tests only. */
  readonly standIn?: { readonly baseUrl: string; readonly calls?: KeyedCallsOptions };
}

/** A study of minimal pairs, with all that is needed to ask and score models. */
export interface PairStudy {
  /** Name in commands (`--study norse`). */
  readonly name: string;
  /** True if its pairs are only scored and never asked about. */
  readonly onlyScored?: true;
  /** Forced-choice question, with the fields `{sentence1}` and `{sentence2}`. */
  readonly question: string;
  /** Seed of counterbalanced orders. A new seed invalidates half the existing answers. */
  readonly orderSeed: number;
  readonly files: AnswerFiles;
  readonly connection: HostedConnection;
  /** Path of the lock file that is held while answers are added. */
  readonly lock: string;
  /** Command that asks missing questions, and command that computes results from the answers. */
  readonly commands: { readonly evaluate: string; readonly compute: string };
  readonly cache: string;
  /**
   * Panels of the study. Relative model paths start from the project's folder.
   *
   * Larger models are asked only if their panel is named. Their results are reported with the local
   * panel's.
   */
  readonly panels: { readonly local: string; readonly larger?: string; readonly hosted: string };
  readonly project: string;
}

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** Returns the absolute path of a file in the project. */
export const inProject = (path: string) => join(PROJECT, path);

/** Paths that all studies of this project share. */
export const IN_PROJECT = {
  connection: { env: inProject(".env"), usage: inProject(".cache/hosted/usage.json") },
  lock: inProject(".cache/answers.lock"),
  cache: inProject(".cache"),
  panels: {
    local: inProject("data/panels/local.yaml"),
    larger: inProject("data/panels/large.yaml"),
    hosted: inProject("data/panels/groq.yaml"),
  },
  project: PROJECT,
} as const satisfies Partial<PairStudy>;

/** Path of a table, with its description and maker for the manifest. */
export interface TableMetadata {
  readonly path: string;
  readonly about?: string;
  readonly maker?: string;
}

/** Minimal pairs and their study. */
export interface PairSet {
  readonly study: PairStudy;
  readonly pairs: readonly MinimalPair[];
}

/** Variant of a study for pairs that are only scored, with likelihoods in their own file. */
export function scoredOnly(study: PairStudy, name: string, likelihoods: string): PairStudy {
  // No question is asked: a file that never is there has no answers.
  const none = join(dirname(likelihoods), `${name}_answers.csv`);
  const { settings } = study.files;
  const files = { settings, likelihoods, responses: none, asked: none, invalidAnswers: none };
  return { ...study, name, onlyScored: true, files };
}

/**
 * Locks the answers for this process, which rewrites whole tables at its end.
 *
 * Without the lock, rows added by another process would be lost. @throws {Error} where another
 * process holds the lock.
 */
export function lockAnswers(path: string): Disposable {
  return lockFile(
    path,
    "Cannot add to the answers: another process is doing so (a notebook, or `deno task evaluate` " +
      "or `generate`). Let it end, or stop it, first.",
  );
}

type Columns = Readonly<Record<string, Column<unknown>>>;

/**
 * Returns a function that defines a study's hand-written tables, and a list of them. The tables are
 * in `data/STUDY/rules/`.
 */
export function ruleTables(study: string, notebook: number) {
  const folder = inProject(`data/${study}/rules/`);
  const maker = `notebook ${notebook}, when that line is mended,`;
  /** Tables in order of definition, for the manifest. */
  const files: DataFile[] = [];
  const ruleTable = <const C extends Columns>(file: string, about: string, columns: C) => {
    const made = table({
      path: join(folder, file),
      about: `written by hand: ${about}`,
      maker,
      columns,
    });
    files.push(made);
    return made;
  };
  return { folder, files, ruleTable };
}

export const ONE_TO_THREE = z.enum(["1", "2", "3"]).transform((digit) =>
  Number(digit) as 1 | 2 | 3
);
export const TIER = field(ONE_TO_THREE, "confidence: 1 clear case, 2 defensible, 3 weak but valid");
