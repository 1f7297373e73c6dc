/** Classifier of abstention: answers that decline, or deny that the entity exists. */
import { z } from "zod";
import { sha256Hex } from "../../files/atomic.ts";
import { writeJsonAtomic } from "../../files/json.ts";
import { cosine, type SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import { logistic } from "../../stats/uncertainty.ts";
import { sentencesOf } from "../claims/sentences.ts";
import { FACTUALITY_PATHS } from "../paths.ts";

/**
 * A question with its answer and the entity's name. The name is masked for the encoder and may be
 * empty.
 */
type QuestionAndAnswer = Readonly<Record<"name" | "question" | "answer", string>>;

/** Threshold of abstention; both classes had equal weight in training. */
export const ABSTAINS_FROM = 0.5;

export type AbstentionClassifier = ReturnType<typeof abstentionClassifier>;

/**
 * Builds the classifier on an encoder. @throws {TypeError} for an encoder other than that of
 * training.
 */
export function abstentionClassifier(file: ClassifierContent, encoder: SentenceEncoder) {
  const { weightsSha256 } = encoder.settings;
  if (weightsSha256 !== file.encoderSha256) {
    throw new TypeError(
      `Cannot classify answers: the encoder's weights are ${weightsSha256}, the classifier was ` +
        `trained with ${file.encoderSha256}. Run "deno task study abstention --train"`,
    );
  }
  return {
    /**
     * Returns the probability that each answer abstains, in order. Undefined for an empty answer.
     */
    async probabilities(answers: readonly QuestionAndAnswer[]) {
      const features = await answerFeatures(answers, encoder);
      return features.map((one) => one && abstentionProbability(one, file));
    },
  };
}

/** Feature groups, in the order of the vector. */
const FEATURE_GROUPS = ["first", "mean", "form"] as const;
export type FeatureGroup = typeof FEATURE_GROUPS[number];

/** Feature values by group. */
export type AnswerFeatures = Readonly<Record<FeatureGroup, readonly number[]>>;

/** Mask for the entity's name, a letter that can name anything. */
const MASK = "X";

/** Computes the features of each answer, in order. Undefined for an empty answer. */
export async function answerFeatures(
  answers: readonly QuestionAndAnswer[],
  encoder: SentenceEncoder,
): Promise<readonly (AnswerFeatures | undefined)[]> {
  const masked = answers.map(({ name, question, answer }) => ({
    question: withoutName(question, name),
    sentences: sentencesOf(withoutName(answer, name)).map(({ text }) => text),
  }));
  const encoded = await encoder.encode(
    masked.flatMap(({ question, sentences }) => [question, ...sentences]),
  );
  let next = 0;
  return masked.map(({ question, sentences }) => {
    const [questionVector, ...sentenceVectors] = encoded.slice(next, next += sentences.length + 1);
    if (sentenceVectors.length === 0) return undefined;
    const mean = (i: number) =>
      sentenceVectors.reduce((sum, vector) => sum + vector[i]!, 0) / sentenceVectors.length;
    return {
      first: [...sentenceVectors[0]!],
      mean: Array.from(sentenceVectors[0]!, (_, i) => mean(i)),
      form: formOf(question, sentences, cosine(questionVector!, sentenceVectors[0]!)),
    };
  });
}

/** Words of a name that state its kind and stay next to the mask: "Lake X". */
const KIND_WORDS = /^(?:Lake|River|Treaty|Battle|The)$/u;

/** Masks every capitalised word of the name, alone or in a row: "the Treaty of X". */
function withoutName(text: string, name: string): string {
  if (name === "") return text;
  const words = [...name.replace(/\(.*\)/u, "").matchAll(/\p{Lu}[\p{L}\p{M}]+/gu)]
    .map(([word]) => word).filter((word) => !KIND_WORDS.test(word));
  const any = (words.length > 0 ? words : [name]).map(RegExp.escape).join("|");
  return text.replace(new RegExp(`\\b(?:${any})\\b(?:\\s(?:${any})\\b)*`, "giu"), MASK);
}

const FIRST_PERSON = /\b(?:I|I'm|I've|I'd|my|me)\b/u;
const DENIAL =
  /\b(?:no|not|never|nothing|none|nobody|unable|cannot|without|un(?:known|aware|sure))\b|n[’']t\b/iu;

/** Features of form: logarithms of lengths, and others from 0 to 1. */
function formOf(question: string, sentences: readonly string[], likeness: number) {
  const first = sentences[0]!;
  const answer = sentences.join(" ");
  const [speaks, denies] = [FIRST_PERSON.test(first), DENIAL.test(first)];
  // Names absent from question and mask: the answer makes a claim about something.
  const names = [...answer.matchAll(/(?<=[\p{Ll},;:]\s)\p{Lu}\p{L}+/gu)].map(([name]) => name);
  return [
    likeness,
    Math.log(answer.split(/\s+/u).length),
    Math.log(sentences.length),
    Number(speaks),
    Number(denies),
    Number(speaks && denies),
    Number(denies && first.includes(MASK)),
    Number(/\d/u.test(answer)),
    Math.log(1 + names.filter((name) => !question.includes(name)).length),
    Number(/\?\s*$/u.test(answer)),
  ];
}

const GROUPS = z.array(z.enum(FEATURE_GROUPS));
const CONTENT = z.object({
  schemaVersion: z.literal(1),
  /** Feature groups of the weights, in order. */
  groups: GROUPS,
  /**
   * Log-odds of abstention: weights · features + intercept. They include scaling and temperature.
   */
  weights: z.array(z.number()),
  intercept: z.number(),
  /** SHA-256 of the encoder's weights. */
  encoderSha256: z.string(),
  training: z.object({
    seed: z.string(),
    l2: z.number(),
    temperature: z.number(),
    abstains: z.number(),
    answers: z.number(),
    /** Number of answers that are statements of the factbook. */
    factbook: z.number(),
    /** Number of answers by models to development queries. */
    real: z.number(),
    /** SHA-256 of labels, names, questions and answers. */
    dataSha256: z.string(),
    /** Mean log loss in nats by five-fold cross-validation on the training answers. */
    tried: z.array(z.object({ groups: GROUPS, l2: z.number(), logLoss: z.number() })),
  }),
});

/** The fitted classifier. */
export type ClassifierContent = Readonly<z.infer<typeof CONTENT>>;

/** Writes the classifier with the SHA-256 of its content. */
export function writeClassifier(
  content: ClassifierContent,
  path = FACTUALITY_PATHS.abstentionClassifier,
) {
  const file = { ...content, sha256: contentSha256(content) };
  writeJsonAtomic(path, file);
  return file;
}

/** Reads the default classifier. @throws {SyntaxError} for another file, or one changed since. */
export function readClassifier(path = FACTUALITY_PATHS.abstentionClassifier) {
  const refuse = (why: string) =>
    new SyntaxError(
      `Cannot read the classifier: ${path} ${why}. Restore it, or run ` +
        '"deno task study abstention --train"',
    );
  let file;
  try {
    file = CONTENT.extend({ sha256: z.string() }).parse(JSON.parse(Deno.readTextFileSync(path)));
  } catch (error) {
    throw error instanceof Deno.errors.NotFound ? error : refuse("is no classifier");
  }
  if (contentSha256(file) === file.sha256) return file;
  throw refuse("was changed, its SHA-256 is another");
}

/** SHA-256 of the content; zod fixes the order of keys. */
const contentSha256 = (content: ClassifierContent) =>
  sha256Hex(JSON.stringify(CONTENT.parse(content)));

export type LinearCoefficients = Pick<ClassifierContent, "weights" | "intercept">;

/** Probability of abstention from an answer's features. */
export const abstentionProbability = (
  features: AnswerFeatures,
  { groups, ...line }: Pick<ClassifierContent, "groups" | "weights" | "intercept">,
) => logistic(abstentionLogOdds(selectedFeatures(features, groups), line));

/** Features of some groups, in their order. */
export const selectedFeatures = (features: AnswerFeatures, groups: readonly FeatureGroup[]) =>
  groups.flatMap((group) => features[group]);

/** Log-odds: weights · features + intercept. */
export const abstentionLogOdds = (
  values: readonly number[],
  { weights, intercept }: LinearCoefficients,
) => weights.reduce((sum, weight, i) => sum + weight * values[i]!, intercept);
