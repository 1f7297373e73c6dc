import { z } from "zod";
import { evidencePassage } from "./evidence_passage.ts";
import { labelled, leftOut, loadCases, type LoadedCases } from "./load_cases.ts";
import type { CaseLabel } from "./labelled_case.ts";

/** How a claim is read that its evidence bears out in part. */
export type PartialSupport = "left out" | "not supported";

const LABELS = {
  "completely-support": "supported",
  refute: "refuted",
  irrelevant: "not enough info",
} as const;

const ROW = z.object({
  claim: z.string().min(1),
  evidence: z.string().min(1),
  stance: z.enum(["completely-support", "partially-support", "refute", "irrelevant"]),
});

/**
 * FactCheck-GPT's stances of web evidence towards atomic claims (Wang et al. 2023, arXiv
 * 2311.09000), one object a line: claim, evidence, stance. The responses that the claims came from
 * are not in the file, so the cluster is the claim, which has one or several pieces of evidence.
 *
 * "partially-support" is no answer to whether the claim is borne out: measure with such rows left
 * out and with them as not supported, and report both; the second is a set of its own name.
 */
export function factcheckgptCases(path: string, partial: PartialSupport): LoadedCases {
  const set = partial === "left out" ? "factcheckgpt_stance" : "factcheckgpt_stance with partial";
  return loadCases(path, ROW, ({ claim, evidence, stance }, line) => {
    const id = `stance-${line}`;
    if (stance === "partially-support" && partial === "left out") {
      return [leftOut(id, "the evidence bears it out in part")];
    }
    const label: CaseLabel = stance === "partially-support" ? "not supported" : LABELS[stance];
    const passages = [evidencePassage(set, id, evidence)];
    return [labelled({ id, claim, passages, label, cluster: claim, set })];
  });
}
