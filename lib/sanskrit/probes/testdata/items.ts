import type { DatasetItem } from "../../../pairs/number_pairs.ts";
import type { Phenomenon } from "../../contrasts/candidate.ts";
import { GENERATED } from "../../contrasts/testdata/generated.ts";

const [FIRST] = GENERATED.aStems.set.items;

/** A pair about a stem and two cells with their gender: `item("deva", "gen.sg.m", "acc.sg.m")`. */
export function item(lemma: string, cellFrom: string, cellTo: string): DatasetItem<Phenomenon> {
  const phenomenon = cellFrom.slice(0, 3) === cellTo.slice(0, 3) ? "number" : "case";
  return {
    pair: { ...FIRST!.pair, phenomenon },
    certificate: { ...FIRST!.certificate, lemma, cellFrom, cellTo },
  };
}
