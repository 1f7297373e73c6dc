import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { Phenomenon } from "../contrasts/candidate.ts";
import { paradigmCells } from "../contrasts/dataset.ts";
import { type ContrastRecord, contrastRecord } from "../contrasts/contrast_record.ts";
import { fromIast } from "../devanagari.ts";
import { decline } from "../paradigms.ts";

/**
 * The contrasts of a set as words without their sentence, each once, in pausal form. No word is
 * ungrammatical by itself: what is measured here is which form is commoner. Kept for comparison with
 * contrast sets that are made of bare words.
 */
export function bareForms(items: readonly DatasetItem<Phenomenon>[]): readonly ContrastRecord[] {
  const seen = new Set<string>();
  const records: ContrastRecord[] = [];
  for (const { pair, certificate } of items) {
    const { declension, from, to } = paradigmCells(certificate);
    const paradigm = decline(certificate.lemma, declension);
    const [target, variant] = [from, to].map((cell) => fromIast(paradigm.forms(cell)[0]!));
    const key = `${target} ${variant}`;
    if (target === undefined || variant === undefined || seen.has(key)) continue;
    seen.add(key);
    const id = `bare_${String(records.length + 1).padStart(4, "0")}`;
    const members = { grammatical: target, ungrammatical: variant, target, variant, context: "" };
    const { phenomenon } = pair;
    const stem = certificate.lemma;
    records.push(contrastRecord({ id, phenomenon, stem, declension, from, to, ...members }));
  }
  return records;
}
