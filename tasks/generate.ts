/**
 * Generates the pairs of a study.
 *
 * Old Norse pairs are from rules, from a model's proposals confirmed by the rules, or from both.
 * Sanskrit pairs are from rules only, in seconds. Answers to unchanged pairs stay valid, even if
 * their numbers change.
 * @module
 */
import { SOURCES } from "../lib/studies/norse/dataset.ts";
import { pairsOfRules, writeRulePairs } from "../lib/pairs/rule_folder.ts";
import { generateNorse } from "../lib/studies/norse/pipeline.ts";
import { TARGET_PAIRS } from "../lib/studies/sanskrit/generate.ts";
import { generateSanskrit } from "../lib/studies/sanskrit/pipeline.ts";
import { MAX_STEMS, PAIR_SEED } from "../lib/studies/sanskrit/study.ts";
import { choiceOf, command, EXIT, int, run } from "./command.ts";
import { STUDY_NAMES } from "./open_studies.ts";

/** Options that apply to one study only. */
const OWN = {
  norse: ["source", "limit", "estimate"],
  sanskrit: ["targetSize", "maxStems", "seed"],
} as const;

/** Ids of the Sanskrit pairs have four digits. */
const FOUR_DIGITS = int({ min: 1, max: 9999 });
const SEED = int({ min: 0, max: 9999 });

export const TASK = command(
  "generate",
  "The pairs of a study, by rules or a model's proposals; every answer is on disk as it comes",
  (c) =>
    c
      .option("--study <name>", "whose pairs; norse by default", choiceOf(...STUDY_NAMES))
      .option(
        "--rules <folder>",
        "pairs of your own instead: sentences.csv, forms.csv and contrasts.yaml",
      )
      .option(
        "--out <folder>",
        "with --rules: where pairs, certificates and rejections are written",
      )
      .option(
        "--source <name>",
        "norse: the rules (default), or a model is asked: its confirmed proposals (llm), these first (both)",
        choiceOf(...SOURCES),
      )
      .option("--limit <calls>", "norse: at most n calls, 0 asks nothing", int({ min: 0 }))
      .option("--estimate", "norse: only say what asking would take")
      .option("--target-size <n>", `sanskrit: pairs (default: ${TARGET_PAIRS})`, FOUR_DIGITS)
      .option("--max-stems <n>", `sanskrit: frequent stems (default: ${MAX_STEMS})`, FOUR_DIGITS)
      .option("--seed <n>", `sanskrit: breaks ties (default: ${PAIR_SEED})`, SEED),
  async (options, { signal }) => {
    const print = (line: string) => console.log(line);
    const { rules, out, study = "norse" } = options;
    if ((rules === undefined) !== (out === undefined)) {
      throw new SyntaxError("Cannot take one of --rules and --out without the other.");
    }
    if (rules !== undefined && out !== undefined) {
      const other = ["study", ...OWN.norse, ...OWN.sanskrit]
        .find((name) => (options as Record<string, unknown>)[name] !== undefined);
      if (other) throw new SyntaxError(`Cannot take --rules with an option of a study (${other}).`);
      const made = pairsOfRules(rules);
      writeRulePairs(out, made);
      const { items, rejections, sentences } = made;
      const reasons = Map.groupBy(rejections, ({ reason }) => reason);
      print(
        `${items.length} pairs of ${sentences} sentences; ${rejections.length} candidates rejected`,
      );
      for (const [reason, { length }] of reasons) print(`  ${length} ${reason}`);
      print(`Written to ${out}. Now: deno task evaluate --pairs ${out}/pairs.csv --out RESULTS`);
      return items.length > 0 ? EXIT.done : EXIT.failed;
    }
    const other = study === "norse" ? "sanskrit" : "norse";
    const foreign = OWN[other].find((name) => options[name] !== undefined);
    if (foreign !== undefined) {
      const name = foreign.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
      throw new SyntaxError(
        `Cannot use --${name} for ${study}: it is an option of --study ${other}.`,
      );
    }
    if (study === "sanskrit") {
      const { targetSize = TARGET_PAIRS, maxStems = MAX_STEMS, seed = PAIR_SEED } = options;
      generateSanskrit({ targetSize, maxStems, seed }, print);
      return EXIT.done;
    }
    const { source, limit, estimate: estimateOnly } = options;
    const outcome = await generateNorse({ source, limit, estimateOnly, signal }, print);
    return outcome === "complete" ? EXIT.done : EXIT.incomplete;
  },
);

if (import.meta.main) await run(TASK);
