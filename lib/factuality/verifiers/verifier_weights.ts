import { z } from "zod";
import { sha256Hex } from "../../files/checksum.ts";
import { FEATURE_NAMES } from "../features/features.ts";
import { VERDICT_LABELS } from "../verdicts/verdict.ts";

const NUMBERS = z.array(z.number());

const CONTENT = z.object({
  version: z.literal(1),
  /** In the order of the numbers below. */
  features: z.array(z.string()),
  labels: z.array(z.string()),
  means: NUMBERS,
  /** Standard deviations, > 0. */
  scales: z.array(z.number().positive()),
  /** One row a label, one number a feature; 0 for a feature that was left out. */
  coefficients: z.array(NUMBERS),
  intercepts: NUMBERS,
  /** What logits are divided by, > 0; fitted on the development split. */
  temperature: z.number().positive(),
  /** What the weights come from. */
  training: z.object({
    seed: z.number(),
    l2: z.number(),
    groups: z.array(z.string()),
    cases: z.object({ train: z.number(), development: z.number(), test: z.number() }),
    /** SHA-256 of the claims, sources and labels. */
    dataSha256: z.string(),
    encoder: z.string(),
    development: z.object({
      accuracy: z.number(),
      balancedAccuracy: z.number(),
      calibrationError: z.number(),
    }),
  }),
  /** Names and words for people by which a country is known: the features were made with them. */
  gazetteer: z.array(
    z.object({ name: z.string(), type: z.string(), also: z.array(z.string()) }),
  ),
});

const WEIGHTS = CONTENT.extend({ sha256: z.string() });

/** What was learnt, without its hash. */
export type VerifierContent = z.infer<typeof CONTENT>;

/** The trained verifier's weights as their file holds them. */
export type VerifierWeights = z.infer<typeof WEIGHTS>;

/** Adds the SHA-256 of everything else. */
export function sealed(content: VerifierContent): VerifierWeights {
  return { ...content, sha256: contentHash(content) };
}

/**
 * Reads and checks a weights file.
 * @throws {SyntaxError} naming the file, where it is none, its hash is another, or it was trained on
 * other features than the ones there are now.
 */
export function parseVerifierWeights(text: string, path: string): VerifierWeights {
  const weights = parsed(text, path);
  const problem = problemOf(weights);
  if (problem === undefined) return weights;
  throw new SyntaxError(`Cannot load the trained verifier: ${path} ${problem}`);
}

function parsed(text: string, path: string): VerifierWeights {
  try {
    return WEIGHTS.parse(JSON.parse(text));
  } catch (cause) {
    throw new SyntaxError(
      `Cannot load the trained verifier: ${path} is no weights file. ` +
        `Restore it, or run "deno task verifier" to train it again.`,
      { cause },
    );
  }
}

function problemOf(weights: VerifierWeights): string | undefined {
  if (contentHash(weights) !== weights.sha256) {
    return `was changed: its SHA-256 is not the one it names. Restore it, or run "deno task verifier".`;
  }
  const width = weights.features.length;
  if (weights.features.join() !== FEATURE_NAMES.join()) {
    return `was trained on other features. Run "deno task verifier" to train it again.`;
  }
  const even = [weights.means, weights.scales, ...weights.coefficients].every((row) =>
    row.length === width
  );
  if (!even || weights.labels.join() !== VERDICT_LABELS.join()) {
    return `does not have ${width} numbers for each of ${VERDICT_LABELS.join(", ")}.`;
  }
  return undefined;
}

/** zod gives the keys in the order above, whatever their order in the file. */
function contentHash(content: VerifierContent): string {
  return sha256Hex(JSON.stringify(CONTENT.parse(content)));
}
