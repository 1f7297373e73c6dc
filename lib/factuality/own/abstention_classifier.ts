/** Tells answers that decline, or deny that there is such a thing, from those that go along. */
import { z } from "zod";
import { sha256Hex } from "../../files/atomic.ts";
import { writeJsonAtomic } from "../../files/json.ts";
import { cosine, type SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import { logistic } from "../../stats/uncertainty.ts";
import { sentencesOf } from "../claims/sentences.ts";
import { FACTUALITY_PATHS } from "../paths.ts";

/** An answer with what it answers, and what that is about: hidden from the encoder; may be empty. */
type QuestionAndAnswer = Readonly<Record<"name" | "question" | "answer", string>>;

/** An answer abstains from this probability on: both labels counted alike in training. */
export const ABSTAINS_FROM = 0.5;

export type AbstentionClassifier = ReturnType<typeof abstentionClassifier>;

/** The classifier over an encoder. @throws {TypeError} for another than it was trained with. */
export function abstentionClassifier(file: ClassifierContent, encoder: SentenceEncoder) {
  const { weightsSha256 } = encoder.settings;
  if (weightsSha256 !== file.encoderSha256) {
    throw new TypeError(
      `Cannot classify answers: the encoder's weights are ${weightsSha256}, the classifier was ` +
        `trained with ${file.encoderSha256}. Run "deno task study abstention --train"`,
    );
  }
  return {
    /** Probability that each answer abstains, in order; undefined for one without a word. */
    async probabilities(answers: readonly QuestionAndAnswer[]) {
      const features = await answerFeatures(answers, encoder);
      return features.map((one) => one && abstentionProbability(one, file));
    },
  };
}

/** Groups of features, in the order in which they stand. */
const FEATURE_GROUPS = ["first", "mean", "form"] as const;
export type FeatureGroup = typeof FEATURE_GROUPS[number];

/** Numbers of each group. */
export type AnswerFeatures = Readonly<Record<FeatureGroup, readonly number[]>>;

/** Stands for the thing in question; the encoder has seen it as a name of anything. */
const MASK = "X";

/** Features of each answer, in order; undefined for one without a word. */
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
    const [asked, ...said] = encoded.slice(next, next += sentences.length + 1);
    if (said.length === 0) return undefined;
    const mean = (i: number) => said.reduce((sum, vector) => sum + vector[i]!, 0) / said.length;
    return {
      first: [...said[0]!],
      mean: Array.from(said[0]!, (_, i) => mean(i)),
      form: formOf(question, sentences, cosine(asked!, said[0]!)),
    };
  });
}

/** Words of a name that tell what kind of thing it is; with the mask they read naturally: "Lake X". */
const KIND_WORDS = /^(?:Lake|River|Treaty|Battle|The)$/u;

/** Every word of the name that is written with a capital, alone or in a row; "the Treaty of X". */
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

/** How it is said rather than what; lengths are logarithms, all others 0 to 1. */
function formOf(question: string, sentences: readonly string[], likeness: number) {
  const first = sentences[0]!;
  const answer = sentences.join(" ");
  const [speaks, denies] = [FIRST_PERSON.test(first), DENIAL.test(first)];
  // Names that neither question nor mask brought in: something was said about something.
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
  /** Whose numbers the weights are for, in order. */
  groups: GROUPS,
  /** Log-odds that it abstains: weights · features + intercept; scaling and temperature are in them. */
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

/** What was learnt. */
export type ClassifierContent = Readonly<z.infer<typeof CONTENT>>;

/** Writes the classifier with the SHA-256 of everything else in it. */
export function writeClassifier(
  content: ClassifierContent,
  path = FACTUALITY_PATHS.abstentionClassifier,
) {
  const file = { ...content, sha256: contentSha256(content) };
  writeJsonAtomic(path, file);
  return file;
}

/** The classifier that ships. @throws {SyntaxError} where the file is none or was changed. */
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

/** zod gives the keys in the order above, whatever their order in the file. */
const contentSha256 = (content: ClassifierContent) =>
  sha256Hex(JSON.stringify(CONTENT.parse(content)));

export type LinearCoefficients = Pick<ClassifierContent, "weights" | "intercept">;

/** Probability that an answer of these features abstains. */
export const abstentionProbability = (
  features: AnswerFeatures,
  { groups, ...line }: Pick<ClassifierContent, "groups" | "weights" | "intercept">,
) => logistic(logOdds(valuesOf(features, groups), line));

/** The features of some groups, in their order. */
export const valuesOf = (features: AnswerFeatures, groups: readonly FeatureGroup[]) =>
  groups.flatMap((group) => features[group]);

/** Weights · features + intercept. */
export const logOdds = (values: readonly number[], { weights, intercept }: LinearCoefficients) =>
  weights.reduce((sum, weight, i) => sum + weight * values[i]!, intercept);
