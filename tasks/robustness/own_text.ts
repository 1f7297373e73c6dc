import { basename, join } from "node:path";
import { openComponents } from "../../lib/factuality/configuration/open_components.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { sourcePassage } from "../../lib/factuality/retrieval/passage.ts";
import { knowledgeTools } from "../../lib/factuality/robustness/knowledge_variants.ts";
import {
  ownTextReport,
  ownVariants,
  ownVariantsCsv,
} from "../../lib/factuality/robustness/own_text.ts";
import { robustnessJson } from "../../lib/factuality/robustness/report.ts";
import { detectionTable, robustnessCsv } from "../../lib/factuality/robustness/report_tables.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { shownPath } from "../../lib/files/shown_path.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { inputText } from "../factcheck/input_file.ts";
import type { PartRun } from "./part.ts";

/** A text of somebody's own and what it was written from. */
export interface OwnText {
  /** Paths. */
  readonly candidate: string;
  readonly source: string;
}

/**
 * Perturbs and rewords the claims of a text that the verifier accepts, checks each variant against
 * the same source, and writes variants and report into the cache.
 * @returns whether it was done to the end.
 */
export async function runOwnText(files: OwnText, run: PartRun): Promise<boolean> {
  const [candidate, source] = [inputText(files.candidate), inputText(files.source)];
  const tools = knowledgeTools(await factbookFields(FACTUALITY_PATHS.cache));
  await using opened = await openComponents(run.configuration, {
    ...{ cacheDirectory: FACTUALITY_PATHS.cache, threads: run.threads },
    onProgress: ({ component, words }) => run.tell(`${component}: ${words}`),
  });
  const { claims } = await opened.splitter.split(candidate, { signal: run.signal });
  const texts = claims.filter(({ notCheckable }) => notCheckable === undefined);
  const variants = await ownVariants(texts, {
    ...{ verifier: opened.verifier, passages: [sourcePassage(source)], signal: run.signal },
    ...{ tools: { ...tools, about: "", source }, random: randomSource(source) },
  });
  const report = ownTextReport(opened.verifier.name, variants, randomSource(candidate));
  const folder = join(FACTUALITY_PATHS.cache, "robustness", basename(files.candidate));
  writeTextAtomic(join(folder, "variants.csv"), ownVariantsCsv(variants));
  writeTextAtomic(join(folder, "report.json"), robustnessJson(report));
  writeTextAtomic(join(folder, "report.csv"), robustnessCsv(report));
  const accepted = new Set(variants.map(({ base }) => base)).size;
  console.log(`${accepted} of ${texts.length} claims accepted; ${variants.length} variants.`);
  if (report.perturbations.kind === "rows") {
    console.log(detectionTable(report.perturbations.rows, opened.verifier.name));
  }
  console.log(`Variants and report: ${shownPath(folder)}`);
  return true;
}
