import { certificateHash } from "../../../pairs/certify.ts";
import type { ContrastItem } from "../../contrasts/dataset.ts";
import {
  type ContrastRecord,
  contrastRecord,
  pairOfRecord,
} from "../../contrasts/contrast_record.ts";
import type { ContrastSets } from "../../probes/probe_pairs.ts";
import { type Verse, verseId } from "../../verses.ts";

/** Verses 1.1, 1.2 … of one line of two pādas each; the third begins as the first does. */
export const MADE_VERSES: readonly Verse[] = [
  ["धर्मक्षेत्रे कुरुक्षेत्रे", "समवेता युयुत्सवः"],
  ["दृष्ट्वा तु पाण्डवानीकं", "रामो गच्छति"],
  ["धर्मक्षेत्रे कुरुक्षेत्रे", "देवेन सह"],
].map((padas, index) => ({
  ...{ id: verseId(1, index + 1), chapter: 1, verse: index + 1, speaker: "", metre: "" },
  lines: [{ label: "a", text: padas.join(" ") }],
  padas,
}));

/** A contrast of देव in the instrumental: `grammatical` has देवेन, the other member देवे. */
function record(id: string, grammatical: string): ContrastRecord {
  const [target, variant] = ["देवेन", "देवे"];
  return contrastRecord({
    ...{ id, phenomenon: "case", stem: "deva", declension: "a_masculine", context: "" },
    from: { case: "instrumental", number: "singular" },
    to: { case: "locative", number: "singular" },
    ...{ grammatical, ungrammatical: grammatical.replace(target, variant), target, variant },
  });
}

function item(id: string, grammatical: string, verse: number): ContrastItem {
  const own = record(id, grammatical);
  const pair = pairOfRecord(own);
  const certificate = {
    pairId: id,
    source: { text: "Bhagavad Gītā", chapter: 1, sentence: verse },
    ...{ rule: "SK_GOVERNED", lemma: "deva", construction: "governed ins.sg > loc.sg" },
    ...{ cellFrom: "ins.sg.m", cellTo: "loc.sg.m", checks: [], marks: [], explanation: "" },
    ...{ sourceSpelling: grammatical, proposedBy: "rules", promptSha256: "" },
    sha256: certificateHash({ ...pair, rule: "SK_GOVERNED" }),
  };
  return { record: own, pair, certificate };
}

/** One contrast of each set; the pair of the study is from verse 1.3, the other from 1.2. */
export const MADE_SETS: ContrastSets = {
  main: [item("morph_0001", "धर्मक्षेत्रे कुरुक्षेत्रे देवेन सह", 3)],
  iStems: [item("istem_0001", "देवेन रामो गच्छति", 2)],
  controls: [record("control_0001", "देवेन सह तिष्ठति सीता")],
  bareForms: [record("bare_0001", "देवेन")],
};
