import { z } from "zod";
import { sha256Hex } from "../../files/checksum.ts";
import { writeJsonAtomic } from "../../files/json_file.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { FEATURE_GROUPS } from "./answer_features.ts";

const GROUPS = z.array(z.enum(FEATURE_GROUPS));

const CONTENT = z.object({
  schemaVersion: z.literal(1),
  /** Whose numbers the weights are for, in order. */
  groups: GROUPS,
  /** Scaling and temperature are in them. */
  weights: z.array(z.number()),
  intercept: z.number(),
  /** The encoder, by the hash of its weights. */
  encoderSha256: z.string(),
  training: z.object({
    seed: z.string(),
    l2: z.number(),
    temperature: z.number(),
    abstains: z.number(),
    answers: z.number(),
    /** Of the answers, those that are statements of the factbook. */
    factbook: z.number(),
    /** Of all, those that models gave to development queries. */
    real: z.number(),
    /** SHA-256 of labels, names, questions and answers. */
    dataSha256: z.string(),
    /** Mean log loss in nats on held-out fifths of the training answers. */
    tried: z.array(z.object({ groups: GROUPS, l2: z.number(), logLoss: z.number() })),
  }),
});
const FILE = CONTENT.extend({ sha256: z.string() });

/** What was learnt. */
export type ClassifierContent = Readonly<z.infer<typeof CONTENT>>;
export type ClassifierFile = Readonly<z.infer<typeof FILE>>;

/** Writes the classifier with the SHA-256 of everything else in it. */
export function writeClassifier(
  content: ClassifierContent,
  path: string = FACTUALITY_PATHS.abstentionClassifier,
): ClassifierFile {
  const file = { ...content, sha256: contentSha256(content) };
  writeJsonAtomic(path, file);
  return file;
}

/**
 * The classifier that ships.
 * @throws {Deno.errors.NotFound} where there is none.
 * @throws {SyntaxError} naming the file, where it is none or was changed.
 */
export function readClassifier(
  path: string = FACTUALITY_PATHS.abstentionClassifier,
): ClassifierFile {
  const remedy = 'Restore it, or run "deno task abstention --train"';
  const { success, data } = FILE.safeParse(parsed(Deno.readTextFileSync(path)));
  if (!success) {
    throw new SyntaxError(`Cannot read the classifier: ${path} is no classifier. ${remedy}`);
  }
  if (contentSha256(data) === data.sha256) return data;
  throw new SyntaxError(
    `Cannot read the classifier: ${path} was changed, its SHA-256 is another. ${remedy}`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** zod gives the keys in the order above, whatever their order in the file. */
function contentSha256(content: ClassifierContent): string {
  return sha256Hex(JSON.stringify(CONTENT.parse(content)));
}
