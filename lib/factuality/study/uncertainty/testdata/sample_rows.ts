import type { ChoiceSampleRow } from "../choice_samples.ts";

/** A thought after which the options have these probabilities, the right one first. */
export function sampleRow(
  question: string,
  probabilities: readonly number[],
  more: Partial<ChoiceSampleRow> = {},
): ChoiceSampleRow {
  const [one, two, three, four] = probabilities.map(Math.log) as [number, number, number, number];
  return {
    ...{ model: "m", question_id: `${question}/capital`, cluster: question, kind: "capital" },
    ...{ question: `What of ${question}?`, sample: 1, seed: "1", thought: "…", thought_tokens: 3 },
    ...{
      option_1: "a",
      option_2: "b",
      option_3: "c",
      option_4: "d",
      options: ["a", "b", "c", "d"],
    },
    ...{ log_probability_1: one, log_probability_2: two },
    ...{ log_probability_3: three, log_probability_4: four },
    ...{ logProbabilities: [one, two, three, four], token_entropy: 2, milliseconds: 1 },
    settings_sha256: "s",
    ...more,
  };
}

/** Two thoughts each about ten countries: sure and right, or unsure and wrong. */
export function tenQuestions(model = "m"): readonly ChoiceSampleRow[] {
  return Array.from({ length: 10 }, (_, i) => {
    const probabilities = i < 5 ? [0.97, 0.01, 0.01, 0.01] : [0.2, 0.4, 0.2, 0.2];
    return [1, 2].map((sample) =>
      sampleRow(`q${i}`, probabilities, { model, sample, seed: `${sample}` })
    );
  }).flat();
}
