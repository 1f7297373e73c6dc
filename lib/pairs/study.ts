import type { HostedConnection } from "./panels/open_hosted.ts";

/** Where answers and their settings stand. */
export type AnswerFiles = {
  readonly [
    Name in
      | "responses"
      | "invalidAnswers"
      | "responseSettings"
      | "likelihoods"
      | "likelihoodSettings"
  ]: string;
};

/** What a study of minimal pairs brings with it when models are asked and scored. */
export interface PairStudy {
  /** As commands call it (`--study norse`); names its batches and what is set aside among others'. */
  readonly name: string;
  /** The question of forced choice, with the places `{sentence1}` and `{sentence2}` left open. */
  readonly question: string;
  /** Seed of counterbalanced orders: changing it leaves half the answers of such a run unused. */
  readonly orderSeed: number;
  readonly files: AnswerFiles;
  /** What to do where the answers on record belong to other pairs; a sentence. */
  readonly otherPairsRemedy: string;
  /** How hosts are reached. */
  readonly connection: HostedConnection;
  /** Held while answers are added. */
  readonly lock: string;
  /** What to type to ask what is missing, and to compute from the answers. */
  readonly commands: { readonly evaluate: string; readonly compute: string };
  /** Where models and batches are kept. */
  readonly cache: string;
  /** The panels of the study; relative paths of models start from the project's folder. */
  readonly panels: { readonly local: string; readonly hosted: string };
  readonly project: string;
}
