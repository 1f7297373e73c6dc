/** Command on the verifier's robustness to small changes of a user's text (requirement 14). */
import { join } from "node:path";
import { nonEnglishSentence } from "../../lib/factuality/check/check.ts";
import { openComponents } from "../../lib/factuality/check/components.ts";
import type { EvaluationComponents } from "../../lib/factuality/check/components.ts";
import { readConfiguration } from "../../lib/factuality/check/configuration.ts";
import { openingOptions } from "../../lib/factuality/own/component_groups.ts";
import {
  knowledgeTools,
  toolsForUserText,
} from "../../lib/factuality/own/variants/make_variant.ts";
import * as reporting from "../../lib/factuality/own/variants/report.ts";
import type { VariantTools } from "../../lib/factuality/own/variants/variant.ts";
import { FACTUALITY_PATHS, userFolder } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { sourcePassage } from "../../lib/factuality/types.ts";
import { requireWritable, shownPath, writeTextAtomic } from "../../lib/files/atomic.ts";
import { openStatusLine } from "../../lib/files/progress.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int } from "../command.ts";
import { inputText } from "./opening.ts";

const { configuration: CONFIGURATION } = FACTUALITY_PATHS;

export const TASK = command(
  "factcheck robustness",
  "How do small changes of a text affect the verifier's verdicts? Its supported claims are changed by " +
    "rules that make them false and by rules that keep them true, and are checked again. " +
    "Writes variants.csv and report.json, .csv.",
  (c) =>
    c.requiredOption("--candidate <file>", "your text, whose claims are changed and checked")
      .requiredOption("--source <file>", "the source of that text")
      .option("--config <file>", "splitter and verifier", CONFIGURATION)
      .option("--threads <number>", "of evaluation", int({ min: 1, max: 1024 }), 2)
      .option("--out <folder>", "for variants and report; below .cache/robustness/ by default"),
  async ({ candidate, source, config, threads, out }, { signal }) => {
    const folder = out ??
      userFolder("robustness", candidate, ...config === CONFIGURATION ? [] : [config]);
    const texts = { candidate: inputText(candidate), source: inputText(source) };
    // An unreadable configuration is reported before anything is fetched.
    readConfiguration(config);
    for (const name of ["variants.csv", "report.json", "report.csv"]) {
      requireWritable(join(folder, name));
    }
    using status = openStatusLine();
    const tell = (words: string) => status.show(words);
    const tools = knowledgeTools(await factbookFields(FACTUALITY_PATHS.cache));
    const alone = { ...openingOptions({ threads, tell }), knowledge: false, judges: false };
    await using opened = await openComponents(config, alone);
    return await checkOwnText(texts, opened, tools, { folder, signal });
  },
);

/**
 * Checks variants of a text's accepted claims against the same source. Variants and report are
 * written. @returns the exit code.
 */
export async function checkOwnText(
  texts: { readonly candidate: string; readonly source: string },
  { verifier, splitter, problems }: EvaluationComponents,
  tools: Omit<VariantTools, "about" | "source">,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<number> {
  const { candidate, source } = texts;
  const foreign = await nonEnglishSentence(texts);
  for (const words of [...problems, ...foreign === undefined ? [] : [foreign]]) console.log(words);
  const { claims } = await splitter.split(candidate, { signal });
  const checkable = claims.filter(({ notCheckable }) => notCheckable === undefined);
  const { variants, accepted, lost } = await reporting.userVariants(checkable, {
    verifier,
    passages: [sourcePassage(source)],
    tools: toolsForUserText(tools, texts),
    random: randomSource(source),
    signal,
  });
  const report = reporting.userTextReport(verifier.name, variants, foreign);
  writeTextAtomic(join(folder, "variants.csv"), reporting.userVariantsCsv(variants));
  writeTextAtomic(join(folder, "report.json"), reporting.robustnessJson(report));
  writeTextAtomic(join(folder, "report.csv"), reporting.robustnessCsv(report));
  console.log(`${accepted} of ${checkable.length} claims accepted; ${variants.length} variants.`);
  const rows = reporting.sectionRows(report.perturbations);
  if (rows.length > 0) console.log(reporting.detectionTable(rows, verifier.name));
  console.log(`Variants and report: ${shownPath(folder)}`);
  if (lost.length === 0) return EXIT.done;
  console.log(
    `${lost.length} verdicts are missing, so figures rest on fewer claims or variants: ` +
      `${[...new Set(lost)].join(" ")} Run the same command again to ask for them.`,
  );
  return EXIT.incomplete;
}
