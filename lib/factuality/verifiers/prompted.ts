import { eachGroupInFlight } from "../../models/in_flight.ts";
import type { NextWordModel } from "../../models/model.ts";
import { decide, scoredVerdict, type Unread, withoutEvidence } from "../decision.ts";
import { askNextWord, calibrated, calibrationSettings } from "../judges/ensemble.ts";
import type { PlattScaling, ReadNextWord } from "../judges/ensemble.ts";
import { fillTemplate, type PromptTemplate } from "../judges/prompts.ts";
import type { Verdict, Verifier } from "../types.ts";
import { chunkEvidence, wordChunks } from "./chunks.ts";

/** How a prompted verifier asks. */
export interface PromptedVerifierOptions {
  /** Of P(yes) / (P(yes) + P(no)), the greatest over the chunks; without one that ratio is taken. */
  readonly calibration: PlattScaling | undefined;
  /** Of the file as it was published; undefined for a server. */
  readonly modelSha256: string | undefined;
  /** Most words of a source that are shown at once, ≥ 1; a longer one is read chunk by chunk. */
  readonly chunkWords: number;
}

/**
 * A chat or base model as a verifier, in MiniCheck's manner: the probability that the next word is
 * yes, of a source in chunks the greatest. What does not go to "supported" goes to "not enough info",
 * never to "refuted". @throws {RangeError} unless a `next word` prompt of `passages` and `claim` is
 * given.
 */
export function promptedVerifier(
  model: NextWordModel,
  template: PromptTemplate,
  { calibration, modelSha256, chunkWords }: PromptedVerifierOptions,
): Verifier {
  const { name: prompt, sha256: promptSha256, nextWords, placeholders } = template;
  if (nextWords === undefined || placeholders.some((one) => !/^(?:passages|claim)$/.test(one))) {
    throw new RangeError(
      `Cannot verify by the prompt ${prompt}: it must be a next word prompt with {{passages}} and ` +
        "{{claim}} alone",
    );
  }
  const provenance = { producedBy: model.name, modelSha256, promptSha256 };
  return {
    name: model.name,
    settings: { ...model.settings, prompt, chunkWords, ...calibrationSettings(calibration) },
    async verify(claims, passages, { signal } = {}) {
      const chunks = wordChunks(passages, chunkWords);
      if (chunks.length === 0) return claims.map(() => withoutEvidence(provenance));
      const answers: (ReadNextWord | Unread)[][] = claims.map(() => []);
      const asked = chunks.map(({ premise }, c) =>
        claims.map((claim, i) => ({ values: { passages: premise, claim }, c, i }))
      );
      // Chunk by chunk, because prompts that begin alike are read once.
      await eachGroupInFlight(asked, model.concurrency, async ({ values, c, i }) => {
        signal?.throwIfAborted();
        const text = fillTemplate(template, values);
        answers[i]![c] = await askNextWord(model, text, nextWords, { signal });
      });
      signal?.throwIfAborted();
      return answers.map((ofClaim): Verdict => {
        // What was not read may have been what bears the claim out.
        const failed = ofClaim.find((answer) => answer.kind === "unscored");
        if (failed !== undefined) return { ...failed, provenance };
        const ranked = ofClaim.filter((answer) => answer.kind === "read")
          .map((answer, index) => ({ ...answer, chunk: chunks[index]! }))
          .sort((a, b) => b.yes - a.yes);
        const { yes, words } = ranked[0]!;
        const supported = calibrated(yes, calibration);
        const probabilities = { supported, refuted: 0, "not enough info": 1 - supported };
        const evidence = ranked.slice(0, 3).map(({ chunk, yes }) => chunkEvidence(chunk, yes));
        const findings = [{ feature: "next word", words, speaksFor: decide(probabilities) }];
        return scoredVerdict({ probabilities, evidence, findings, provenance });
      });
    },
  };
}
