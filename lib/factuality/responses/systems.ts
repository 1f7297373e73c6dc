import { sha256Hex } from "../../files/checksum.ts";
import type { LocalSamplingName } from "../../models/local_sampling.ts";
import {
  askedClosed,
  askedOpen,
  continuedClosed,
  continuedOpen,
  type ResponsePrompt,
} from "./prompts.ts";

/** A model with a way of asking it. */
export interface RespondingSystem {
  /** Of every row. */
  readonly name: string;
  readonly model: LocalSamplingName;
  /** Whether it is shown passages that were looked up for the question. */
  readonly openBook: boolean;
  readonly prompt: ResponsePrompt;
  /** The reply ends before the first of these. */
  readonly stop: readonly string[];
}

/** A base model goes on with the next country. */
const NEXT_COUNTRY = ["\n\n", "\nNotes about", "\nThree sentences"];

/** In the order of every table. */
export const RESPONDING_SYSTEMS: readonly RespondingSystem[] = [
  {
    ...{ name: "SmolLM2-135M-Instruct, closed book", model: "SmolLM2-135M-Instruct" },
    ...{ openBook: false, prompt: askedClosed, stop: [] },
  },
  {
    ...{ name: "SmolLM2-135M-Instruct, open book", model: "SmolLM2-135M-Instruct" },
    ...{ openBook: true, prompt: askedOpen, stop: [] },
  },
  {
    ...{ name: "gemma-3-270m, closed book", model: "gemma-3-270m" },
    ...{ openBook: false, prompt: continuedClosed, stop: NEXT_COUNTRY },
  },
  {
    ...{ name: "gemma-3-270m, open book", model: "gemma-3-270m" },
    ...{ openBook: true, prompt: continuedOpen, stop: NEXT_COUNTRY },
  },
];

/** How replies are drawn, the same for all systems. */
export const RESPONSE_SAMPLING = { seed: 0, temperature: 0, maxTokens: 80 } as const;

/** The passages a question is given with, for open book. */
export const OPEN_BOOK_PASSAGES = 5;

const SAMPLE_QUESTION = { id: "zz", country: "COUNTRY", question: "QUESTION" };
const SAMPLE_PASSAGE = { id: "zz/S", text: "TEXT", collection: "C", title: "T", section: "S" };

/** SHA-256 of a system's prompt, filled with placeholders. */
export function promptSha256({ prompt }: Pick<RespondingSystem, "prompt">): string {
  return sha256Hex(prompt(SAMPLE_QUESTION, [SAMPLE_PASSAGE]).text);
}
