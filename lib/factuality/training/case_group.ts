import type { RandomSource } from "../../stats/random.ts";
import type { Passage } from "../retrieval/passage.ts";
import type { VerdictLabel } from "../verdicts/verdict.ts";
import { claimPair } from "./claim_pair.ts";
import type { KnowledgeCase } from "./knowledge_case.ts";
import type { Making } from "./making.ts";
import type { Missing } from "./missing_sources.ts";
import { choose } from "./random_choice.ts";
import type { SourceForm } from "./sources.ts";
import type { Contrast } from "./statement.ts";

/** Name of the set in every case. */
export const KNOWLEDGE_SET = "factbook claims";

/** The passages of a case. */
export type Sources = readonly Passage[];

/** What four cases are made of. */
export interface GroupParts {
  readonly name: string;
  readonly contrast: Contrast;
  readonly form: SourceForm;
  /** With the first version's sentence in them, and with the second's. */
  readonly sources: readonly [Sources, Sources];
  readonly without: Sources;
  readonly missing: Missing;
  readonly random: RandomSource;
}

/** Supported, refuted, without enough info, and the other version supported by its own source. */
export function fourCases(making: Making, parts: GroupParts): readonly KnowledgeCase[] {
  const { contrast, form, sources, without, missing, random } = parts;
  const claims = claimPair(contrast, random);
  const made = (
    label: VerdictLabel,
    claim: string,
    passages: Sources,
    edit: string,
    name: string = label,
  ) => ({
    id: `${making.material.code}/${parts.name}/${name}`,
    claim,
    passages,
    label,
    cluster: making.material.country,
    set: KNOWLEDGE_SET,
    split: making.split,
    kind: contrast.versions[0].kind,
    edit,
    form,
  });
  return [
    made("supported", claims[0], sources[0], contrast.edit),
    made("refuted", claims[1], sources[0], contrast.edit),
    made("not enough info", choose(random, claims), without, missing),
    made("supported", claims[1], sources[1], contrast.edit, "supported too"),
  ];
}
