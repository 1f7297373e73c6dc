import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { answerFeatures, type QuestionAndAnswer } from "./answer_features.ts";
import type { ClassifierFile } from "./classifier_file.ts";
import { abstentionProbability } from "./train_classifier.ts";

/** An answer abstains from this probability on: both labels counted alike in training. */
export const ABSTAINS_FROM = 0.5;

/** Tells answers that decline, or deny that there is such a thing, from those that go along. */
export interface AbstentionClassifier {
  readonly sha256: string;
  /** Probability that each answer abstains, in order; undefined for one without a word. */
  probabilities(answers: readonly QuestionAndAnswer[]): Promise<readonly (number | undefined)[]>;
}

/**
 * The classifier over an encoder.
 * @throws {TypeError} for another encoder than the one it was trained with.
 */
export function abstentionClassifier(
  file: ClassifierFile,
  encoder: SentenceEncoder,
): AbstentionClassifier {
  const { weightsSha256 } = encoder.settings;
  if (weightsSha256 !== file.encoderSha256) {
    throw new TypeError(
      `Cannot classify answers: the encoder's weights are ${weightsSha256}, the classifier was ` +
        `trained with ${file.encoderSha256}. Run "deno task abstention --train"`,
    );
  }
  return {
    sha256: file.sha256,
    async probabilities(answers) {
      const features = await answerFeatures(answers, encoder);
      return features.map((one) =>
        one === undefined ? undefined : abstentionProbability(one, file)
      );
    },
  };
}
