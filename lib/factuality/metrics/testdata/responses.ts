import fc from "fast-check";
import type { ClassifiedClaim, ClassifiedResponse } from "../classified_response.ts";

const LABELS: Readonly<Record<string, ClassifiedClaim["label"]>> = {
  s: "supported",
  r: "refuted",
  n: "not enough info",
};

/** `ssrn-` is two supported claims, a refuted one, one without enough info and one not scored. */
export function response(
  query: string,
  letters: string,
  { model = "m", cluster = query, abstained = false, text = "" } = {},
): ClassifiedResponse {
  const claims = [...letters].map((letter, index) => ({
    id: `c${index + 1}`,
    text: `${text || query} says ${index + 1}.`,
    label: LABELS[letter],
  }));
  return { model, query, cluster, abstained, claims };
}

/** Up to eight responses of up to six claims, one a query. */
export const RESPONSES = fc.array(
  fc.tuple(
    fc.array(fc.constantFrom("s", "r", "n", "-"), { maxLength: 6 }),
    fc.boolean(),
  ),
  { maxLength: 8 },
).map((made) =>
  made.map(([letters, abstained], index) => response(`q${index}`, letters.join(""), { abstained }))
);
