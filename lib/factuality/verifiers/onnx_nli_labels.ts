import { softmax } from "../../stats/softmax.ts";
import type { VerdictProbabilities } from "../verdicts/verdict.ts";

/** Places of the labels in a network's logits; two labels only: what is not entailed has no reason. */
export type NliLabels =
  | {
    readonly kind: "three labels";
    readonly entailment: number;
    readonly neutral: number;
    readonly contradiction: number;
  }
  | { readonly kind: "two labels"; readonly entailment: number; readonly notEntailment: number };

type Meaning = "entailment" | "neutral" | "contradiction" | "notEntailment";

/** How the labels of published models begin, once case and punctuation are gone; the first that fits. */
const SPELLINGS: readonly (readonly [RegExp, Meaning])[] = [
  [/^(not?n?|un)(entail|support)/, "notEntailment"],
  [/^(entail|support)/, "entailment"],
  [/^(neutral|notenough|nei$|unknown)/, "neutral"],
  [/^(contradict|refut)/, "contradiction"],
];

function meaningOf(label: string): Meaning | undefined {
  const plain = label.toLowerCase().replace(/[^a-z]/g, "");
  return SPELLINGS.find(([spelling]) => spelling.test(plain))?.[1];
}

/**
 * Which logit means what, from the `id2label` of a model's config.json: entailment, neutral and
 * contradiction, or entailment and not_entailment, in any order and case.
 *
 * @throws {TypeError} where the labels are others; `LABEL_0` tells nothing, and a guess would turn
 * verdicts round.
 */
export function nliLabels(id2label: Readonly<Record<string, string>> | undefined): NliLabels {
  const entries = Object.entries(id2label ?? {});
  const place = new Map(entries.map(([id, label]) => [meaningOf(label), Number(id)]));
  const [entailment, neutral] = [place.get("entailment"), place.get("neutral")];
  const [contradiction, not] = [place.get("contradiction"), place.get("notEntailment")];
  if (entailment !== undefined && neutral !== undefined && contradiction !== undefined) {
    if (entries.length === 3) return { kind: "three labels", entailment, neutral, contradiction };
  }
  if (entailment !== undefined && not !== undefined && entries.length === 2) {
    return { kind: "two labels", entailment, notEntailment: not };
  }
  const found = entries.map(([id, label]) => `${id}: ${label}`).join(", ") || "none";
  throw new TypeError(
    `the labels of its config.json (${found}) are not entailment, neutral and contradiction, nor ` +
      "entailment and not_entailment; write them under id2label in the order of its outputs",
  );
}

/** Number of logits that a network with these labels gives. */
export function labelCount({ kind }: NliLabels): number {
  return kind === "three labels" ? 3 : 2;
}

/**
 * Entailment, contradiction and neutral as supported, refuted and not enough info. With two labels
 * all that is not entailed is not enough info: such a model does not say that a source contradicts.
 *
 * @throws {TypeError} where a logit is not finite, or there are not as many as labels.
 */
export function nliProbabilities(
  logits: readonly number[],
  labels: NliLabels,
): VerdictProbabilities {
  if (logits.length !== labelCount(labels) || !logits.every(Number.isFinite)) {
    throw new TypeError(
      `Cannot read the model's output: [${logits.join(", ")}] are not ${labelCount(labels)} ` +
        "finite numbers",
    );
  }
  const probabilities = softmax(logits);
  const at = (place: number) => probabilities[place]!;
  return labels.kind === "three labels"
    ? {
      supported: at(labels.entailment),
      refuted: at(labels.contradiction),
      "not enough info": at(labels.neutral),
    }
    : { supported: at(labels.entailment), refuted: 0, "not enough info": at(labels.notEntailment) };
}
