import { preference } from "../likelihood_measures.ts";
import type { MinimalPair } from "../pair.ts";
import type { Response } from "../responses.ts";
import { sentenceDifference, whitespaceTokens } from "../sentence_difference.ts";
import type { PanelEvidence } from "./panel_evidence.ts";

/** What each model did wrong with a pair, in words; nothing where none made an error. */
export function errorsOf(
  evidence: Pick<PanelEvidence, "models" | "responses" | "likelihoods">,
  pairId: string,
): readonly string[] {
  return evidence.models.flatMap((model) => {
    const answers = evidence.responses.filter((r) => r.model === model && r.pairId === pairId);
    const row = evidence.likelihoods.find((l) => l.model === model && l.pairId === pairId);
    // Who chose nothing did not choose the wrong sentence.
    const isWrong = ({ correct, response }: Response) => !correct && response !== "INVALID";
    const orders = answers.length === 1 ? "the one order asked" : "every order";
    return [
      ...(answers.length > 0 && answers.every(isWrong)
        ? [`${model} chose wrongly in ${orders}`]
        : []),
      ...(row && preference(row, "total") === "ungrammatical"
        ? [`${model} finds the variant more probable`]
        : []),
    ];
  });
}

/** The grammatical sentence with the changed word, which may stand in it twice, in bold. */
export function emphasised({ grammatical, ungrammatical, target }: MinimalPair): string {
  const difference = sentenceDifference(grammatical, ungrammatical);
  return whitespaceTokens(grammatical).map((token, index) =>
    difference.kind === "one_token" && difference.index === index
      ? token.replace(target, () => `**${target}**`)
      : token
  ).join(" ");
}
