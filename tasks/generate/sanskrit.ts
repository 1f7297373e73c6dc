import { answersToOthers } from "../../lib/pairs/panels/answers.ts";
import { keepAnswers, type KeptAnswers } from "../../lib/pairs/panels/keep_answers.ts";
import { lockAnswers } from "../../lib/pairs/panels/lock.ts";
import type { SelectionReport } from "../../lib/pairs/selection.ts";
import {
  generateContrasts,
  type GeneratedContrasts,
  type GenerationSettings,
  type GenerationSources,
} from "../../lib/sanskrit/contrasts/generate.ts";
import { contrastSets } from "../../lib/sanskrit/contrasts/write_generated.ts";
import { type ContrastSets, probePairs } from "../../lib/sanskrit/probes/probe_pairs.ts";
import type { PairStudy } from "../../lib/pairs/study.ts";

/** What the Sanskrit pairs are made from, and where they and the answers to them are kept. */
export interface SanskritWorld {
  readonly sources: GenerationSources;
  /** The study whose pairs models are asked about, and that of what is only scored. */
  readonly studies: { readonly pairs: PairStudy; readonly probes: PairStudy };
  /** The sets that are there now, to whose pairs answers on record may belong. */
  readonly readPresent: () => ContrastSets;
  readonly write: (generated: GeneratedContrasts) => void;
  readonly print: (line: string) => void;
}

/**
 * Makes the Sanskrit contrast sets and writes them.
 * With `replace` the answers to pairs that stay are kept under their present ids.
 * @throws {Error} where answers on record belong to other pairs and `replace` is not told, and where
 * another process is adding to the answers: nothing is written then.
 */
export function generateSanskrit(
  { settings, replace }: { readonly settings: GenerationSettings; readonly replace: boolean },
  { sources, studies, readPresent, write, print }: SanskritWorld,
): void {
  const generated = generateContrasts(sources, settings);
  const sets = contrastSets(generated);
  // Who is adding answers now would go on with pairs that are no longer there.
  using _held = lockAnswers(studies.pairs.lock);
  const inTheWay = [
    answersToOthers(studies.pairs, sets.main.map(({ pair }) => pair)),
    answersToOthers(studies.probes, probePairs(sets)),
  ].filter((message) => message !== undefined);
  if (inTheWay.length > 0 && !replace) {
    throw new Error(
      `Cannot write these pairs: answers on record belong to those that are there.\n` +
        `${inTheWay.join("\n")}\nWith --replace the pairs are written and the answers to those ` +
        "that stay are kept; the others have to be asked for again.",
    );
  }
  const before = inTheWay.length > 0 ? readPresent() : sets;
  write(generated);
  if (inTheWay.length > 0) {
    const main = (of: ContrastSets) => of.main.map(({ pair }) => pair);
    print(describeKept("pairs", keepAnswers(studies.pairs, main(before), main(sets))));
    const probes = keepAnswers(studies.probes, probePairs(before), probePairs(sets));
    print(describeKept("probes", probes));
  }
  print(describeSet("a- and ā-stems", generated.aStems.set.report));
  print(describeSet("i-stems", generated.iStems.set.report));
  print(`${sets.controls.length} control sentences, ${sets.bareForms.length} bare forms`);
}

function describeKept(name: string, { kept, gone }: KeptAnswers): string {
  return `answers and likelihoods of ${name}: ${kept} kept, ${gone} of pairs that are gone`;
}

function describeSet(name: string, report: Readonly<Record<string, SelectionReport>>): string {
  const parts = Object.entries(report).map(([phenomenon, { chosen, wanted, candidates }]) =>
    `${chosen} of ${wanted} ${phenomenon} contrasts (${candidates} candidates)`
  );
  return `${name}: ${parts.join(", ")}`;
}
