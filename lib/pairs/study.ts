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

/** Files of the answers and of the addresses of their questions. */
export interface AnswerFiles {
  /** `evaluation_results.csv`, in the specification's five columns. */
  readonly responses: string;
  /** `evaluation_asked.csv`: what each of them answers. */
  readonly asked: string;
  /** `invalid_answers.csv`: the text of every answer that chose nothing. */
  readonly invalidAnswers: string;
  readonly likelihoods: string;
  /**
   * `failed.csv`: questions without an answer, and the reason; the project's own studies have none.
   */
  readonly failed?: string;
  /** `tokens.csv` and `words.csv`, where these are wanted. */
  readonly tokens?: string | undefined;
  readonly words?: string | undefined;
  /** `evaluation_settings.json`: the models' settings, each under its digest. */
  readonly settings: string;
}

export interface HostedConnection {
  readonly env: string;
  /** File that records when Groq's keys return. */
  readonly usage: string;
  /** The stand-in's address and clock, in tests only. */
  readonly standIn?: { readonly baseUrl: string; readonly calls?: KeyedCallsOptions };
}

/** A study of minimal pairs, ready to have models asked and scored. */
export interface PairStudy {
  /** Name in commands (`--study norse`). */
  readonly name: string;
  /** True if its pairs are only scored and never asked about. */
  readonly onlyScored?: true;
  /** Question of forced choice, with the fields `{sentence1}` and `{sentence2}`. */
  readonly question: string;
  /** Seed of counterbalanced orders: changing it leaves half the answers of such a run unused. */
  readonly orderSeed: number;
  readonly files: AnswerFiles;
  readonly connection: HostedConnection;
  /** Held while answers are added. */
  readonly lock: string;
  /** Commands that ask missing questions, and that compute from the answers. */
  readonly commands: { readonly evaluate: string; readonly compute: string };
  readonly cache: string;
  /**
   * Panels of the study; relative paths of models start from the project's folder.
   *
   * Results of larger models join those of the local panel; they are asked only where their file is
   * named.
   */
  readonly panels: { readonly local: string; readonly larger?: string; readonly hosted: string };
  readonly project: string;
}

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** Path in the project, independent of the working directory. */
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

/** Path of a study's table, with its contents and maker for the manifest. */
export interface TableMetadata {
  readonly path: string;
  readonly about?: string;
  readonly maker?: string;
}

/** Pairs with the files of what models say of them. */
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
 * Locks the answers for this process, which finally rewrites whole tables.
 *
 * Rows that another process added meanwhile would be lost. @throws {Error} where another process
 * holds the lock.
 */
export function lockAnswers(path: string): Disposable {
  return lockFile(
    path,
    "Cannot add to the answers: another process is doing so (a notebook, or `deno task evaluate` " +
      "or `generate`). Let it end, or stop it, first.",
  );
}

type Columns = Readonly<Record<string, Column<unknown>>>;

/** The tables of a study that people edit, in `data/STUDY/rules/`: how each is described, and all that were. */
export function ruleTables(study: string, notebook: number) {
  const folder = inProject(`data/${study}/rules/`);
  const maker = `notebook ${notebook}, when that line is mended,`;
  /** In the order in which they are described, for the manifest. */
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
