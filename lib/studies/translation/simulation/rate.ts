import { join } from "node:path";
import ExcelJS from "exceljs";
import { writeBytesAtomic } from "../../../files/atomic.ts";
import { type RandomSource, randomSource } from "../../../stats/random.ts";
import type { RatedFile } from "../../../translation/analysis/ratings.ts";
import type { RunConfig } from "../../../translation/configuration.ts";
import { type Action, openSession, reduce } from "../../../translation/session/session.ts";
import type { RatingWorkbook } from "../../../translation/types.ts";
import { EVAL } from "../../../translation/workbook/sheets.ts";
import { checkpoint } from "../../../translation/workbook/write_workbook.ts";
import {
  judge,
  type KnownText,
  normalDeviate,
  type Persona,
  type QualityOf,
  qualityOfTexts,
} from "./perception.ts";

/** Material of the simulated raters, without key or systems. */
export interface SimulationMaterial {
  /** The unopened workbook. */
  readonly blank: RatingWorkbook;
  readonly config: RunConfig;
  readonly texts: readonly KnownText[];
  /**
   * Seed of the texts' quality. Combined with the rater's name, it is also that of the rater's
   * errors.
   */
  readonly seed: number | string;
}

/** Lets every persona rate the workbook. Throws Error if one cannot finish. */
export function rateInTurn(
  personas: readonly Persona[],
  { blank, texts, config, seed }: SimulationMaterial,
) {
  const qualityOf = qualityOfTexts(texts, randomSource(`${seed} texts`));
  return personas.map((persona) => {
    const random = randomSource(`${seed} ${persona.name}`);
    return { persona, workbook: simulateRater(blank, { config, persona, qualityOf, random }) };
  });
}

/** Writes each persona's rated workbook into a folder. Throws Error if one cannot finish. */
export async function writeSimulatedWorkbooks(
  personas: readonly Persona[],
  material: SimulationMaterial,
  folder: string,
): Promise<readonly RatedFile[]> {
  const files: RatedFile[] = [];
  for (const { persona, workbook } of rateInTurn(personas, material)) {
    const path = join(folder, `${persona.name}.xlsx`);
    writeBytesAtomic(path, await checkpoint(workbook, material.config));
    files.push({ rater: persona.name, path });
  }
  return files;
}

const START = Date.parse("2026-11-22T09:00:00.000Z");

/**
 * Probability and length (seconds) of a break before an item. It is longer than any working gap.
 */
const BREAK = { chance: 0.08, seconds: 240 } as const;
/** Standard deviation of the logarithm of seconds between translations. */
const SPREAD_OF_SECONDS = 0.35;
/**
 * Maximum number of attempts per item, more than any needs.
 * Exceeding it shows a fault in the rules.
 */
const MOST_ATTEMPTS = 200;

/**
 * Rates a workbook through the page's session.
 * Refused items take the proposed repairs. Throws Error if the rater cannot pass an item or cannot
 * finish.
 */
export function simulateRater(
  workbook: RatingWorkbook,
  { config, persona, qualityOf, random }: {
    readonly config: RunConfig;
    readonly persona: Persona;
    readonly qualityOf: QualityOf;
    readonly random: RandomSource;
  },
): RatingWorkbook {
  const fail = (what: string) => new Error(`Cannot simulate ${persona.name}: ${what}.`);
  let elapsedMs = 0;
  const now = () => ({ iso: new Date(START + elapsedMs).toISOString(), monotonicMs: elapsedMs });
  let session = openSession(workbook, config, now());
  const act = (action: Action, seconds: number) => {
    elapsedMs += Math.round(1000 * seconds);
    return session = reduce(session, action, now());
  };
  const items = workbook.items.length;
  workbook.items.forEach(({ input, evaluation: { displayMap } }, ordinal) => {
    const rests = random.next() < BREAK.chance;
    if (session.current !== ordinal || rests) {
      act({ kind: "jump", index: ordinal }, rests ? BREAK.seconds : 1);
    }
    const seen = { displayMap, quality: qualityOf(input) };
    const judgements = judge(persona, seen, { ordinal, items }, config, random);
    const median = persona.secondsPerTranslation * persona.pace ** ordinal;
    for (const translation of displayMap) {
      const { bucket, da } = judgements[translation]!;
      const seconds = median * Math.exp(SPREAD_OF_SECONDS * normalDeviate(random));
      act({ kind: "bucket", translation, bucket }, seconds * 0.7);
      act({ kind: "score", translation, da }, seconds * 0.3);
    }
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const { notice } = act({ kind: "next" }, 1);
      if (notice?.kind !== "item-invalid") return;
      const fault = notice.violations.find((violation) => violation.kind === "ordering");
      if (fault === undefined) break;
      for (const change of fault.repair) act(change, persona.secondsPerTranslation / 2);
    }
    throw fail(`item ${input.itemId} stays invalid`);
  });
  const { finished, notice, workbook: rated } = act({ kind: "finish" }, 2);
  if (finished) return rated;
  throw fail(`finish says ${JSON.stringify(notice)}`);
}

/** Changes an item's `da_1` so that only hashes are wrong. */
export async function withScoreChanged(
  bytes: Uint8Array,
  { itemId, by }: { readonly itemId: number; readonly by: number },
): Promise<Uint8Array> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(bytes.slice().buffer);
  const sheet = workbook.getWorksheet(EVAL)!;
  const headings = sheet.getRow(1).values as readonly unknown[];
  const row = sheet.getColumn(headings.indexOf("item_id")).values.indexOf(itemId);
  const score = sheet.findRow(row)?.getCell(headings.indexOf("da_1"));
  if (typeof score?.value !== "number") {
    throw new RangeError(`Cannot change da_1 of item ${itemId}: there is no such score.`);
  }
  score.value += by;
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}
