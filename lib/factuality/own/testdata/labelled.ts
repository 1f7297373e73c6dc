import type { LabelledCase } from "../../labelled_case.ts";
import { sourcePassage } from "../../types.ts";

/** A case about an invented country. */
export function exampleCase(
  id: string,
  label: LabelledCase["label"] = "supported",
  claim = `Country ${id} has a coast.`,
): LabelledCase {
  const passages = [sourcePassage("It has a coast of 20 km.")];
  return { id, claim, label, passages, cluster: `country ${id}`, set: "made up" };
}
