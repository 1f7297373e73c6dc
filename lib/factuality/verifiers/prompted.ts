import { eachInFlight } from "../../models/in_flight.ts";
import type { NextWordModel } from "../../models/model.ts";
import { decide, scoredVerdict, withoutEvidence } from "../decision.ts";
import { calibrated, type PlattScaling } from "../judges/ensemble.ts";
import {
  calibrationSettings,
  type ReadNextWord,
  readNextWord,
} from "../judges/next_token_judge.ts";
import { fillTemplate, type PromptTemplate } from "../judges/prompts.ts";
import type { Provenance, Unscored, Verdict, Verifier } from "../types.ts";
import { chunkEvidence, type SourceChunk, wordChunks } from "./chunks.ts";

/** How a prompted verifier asks. */
export interface PromptedVerifierOptions {
  /** Of P(yes) / (P(yes) + P(no)), the greatest over the chunks; without one that ratio is taken. */
  readonly calibration: PlattScaling | undefined;
  /** Of the file as it was published; undefined for a server. */
  readonly modelSha256: string | undefined;
  /** Most words of a source that are shown at once, ≥ 1; a longer one is read chunk by chunk. */
  readonly chunkWords: number;
}

type Answer = ReadNextWord | Omit<Unscored, "provenance">;

/** Pieces of evidence that a verdict shows. */
const SHOWN = 3;

/** The answers of one claim, one a chunk; the chunk that bears it out best decides. */
function verdictOf(
  answers: readonly Answer[],
  chunks: readonly SourceChunk[],
  calibration: PlattScaling | undefined,
  provenance: Provenance,
): Verdict {
  const read = answers.filter((answer) => answer.kind === "read");
  const failed = answers.find((answer) => answer.kind === "unscored");
  // What was not read may have been what bears the claim out.
  if (failed !== undefined) return { ...failed, provenance };
  const ranked = read.map((answer, index) => ({ answer, chunk: chunks[index]! }))
    .sort((a, b) => b.answer.yes - a.answer.yes);
  const { yes, words } = ranked[0]!.answer;
  const supported = calibrated(yes, calibration);
  const probabilities = { supported, refuted: 0, "not enough info": 1 - supported };
  const speaksFor = decide(probabilities);
  return scoredVerdict({
    probabilities,
    evidence: ranked.slice(0, SHOWN).map(({ answer, chunk }) => chunkEvidence(chunk, answer.yes)),
    findings: [{ feature: "next word", words, speaksFor }],
    provenance,
  });
}

type Ask = (claim: string, chunk: SourceChunk, signal?: AbortSignal) => Promise<Answer>;

/** @throws {RangeError} for a template that is not of passages and claim, answered by a next word. */
function questioner(model: NextWordModel, template: PromptTemplate): Ask {
  const { nextWords, name, placeholders } = template;
  const others = placeholders.filter((one) => one !== "passages" && one !== "claim");
  if (nextWords === undefined || others.length > 0) {
    throw new RangeError(
      `Cannot verify by the prompt ${name}: it must be a next word prompt with {{passages}} and ` +
        "{{claim}} alone",
    );
  }
  return async (claim, chunk, signal) => {
    const text = fillTemplate(template, { passages: chunk.premise, claim });
    const reply = await model.nextWord(text, nextWords, signal ? { signal } : {});
    return readNextWord(reply, template);
  };
}

/** Of each claim, the answers chunk by chunk. */
async function answersOf(
  claims: readonly string[],
  chunks: readonly SourceChunk[],
  ask: Ask,
  concurrency: number,
  signal: AbortSignal | undefined,
): Promise<readonly (readonly Answer[])[]> {
  const answers: Answer[][] = claims.map(() => []);
  // Chunk by chunk, because prompts that begin alike are read once.
  const asked = chunks.flatMap((chunk, c) => claims.map((claim, i) => ({ chunk, c, claim, i })));
  await eachInFlight(asked, concurrency, async ({ chunk, c, claim, i }) => {
    signal?.throwIfAborted();
    answers[i]![c] = await ask(claim, chunk, signal);
    return true;
  });
  signal?.throwIfAborted();
  return answers;
}

/**
 * A chat or base model as a verifier, in MiniCheck's manner: document and claim, and the probability
 * that the next word is yes; of a source in chunks the greatest. The answer is binary, so what does not
 * go to "supported" goes to "not enough info", never to "refuted": a "no" does not tell the two apart.
 *
 * @param template A `next word` prompt with the placeholders `passages` and `claim`.
 * @throws {RangeError} for another template.
 */
export function promptedVerifier(
  model: NextWordModel,
  template: PromptTemplate,
  { calibration, modelSha256, chunkWords }: PromptedVerifierOptions,
): Verifier {
  const { name: prompt, sha256: promptSha256 } = template;
  const provenance: Provenance = { producedBy: model.name, modelSha256, promptSha256 };
  const ask = questioner(model, template);
  return {
    name: model.name,
    settings: { ...model.settings, prompt, chunkWords, ...calibrationSettings(calibration) },
    async verify(claims, passages, { signal } = {}) {
      const chunks = wordChunks(passages, chunkWords);
      if (chunks.length === 0) return claims.map(() => withoutEvidence(provenance));
      const answers = await answersOf(claims, chunks, ask, model.concurrency, signal);
      return answers.map((of) => verdictOf(of, chunks, calibration, provenance));
    },
  };
}
