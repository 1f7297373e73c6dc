import { join } from "node:path";
import { writeBytesAtomic } from "../../files/atomic.ts";
import { type RandomSource, randomSource } from "../../stats/random.ts";
import type { RatedFile } from "../analysis/ratings.ts";
import type { RunConfig } from "../configuration.ts";
import { type Action, openSession, reduce, type Session } from "../session/session.ts";
import { TRANSLATION_PATHS } from "../tables.ts";
import type { RatedItem, RatingWorkbook } from "../types.ts";
import { readArchive } from "../workbook/archive.ts";
import {
  EVAL,
  readSheets,
  type Sheet,
  type SheetContent,
  writeSheets,
} from "../workbook/sheets.ts";
import { checkpoint } from "../workbook/write_workbook.ts";
import {
  judge,
  type KnownText,
  normalDeviate,
  type Persona,
  type QualityOf,
  qualityOfTexts,
} from "./perception.ts";

/** What the simulated raters work with: no key, for they know of no system. */
export interface SimulationMaterial {
  /** The workbook as nobody has opened it. */
  readonly blank: RatingWorkbook;
  readonly config: RunConfig;
  readonly texts: readonly KnownText[];
  /** Of the texts' quality and, with the rater's name, of the rater's errors. */
  readonly seed: number | string;
}

/** Has every persona rate the workbook. Throws Error if one cannot finish. */
export function rateInTurn(
  personas: readonly Persona[],
  { blank, texts, config, seed }: SimulationMaterial,
): readonly { readonly persona: Persona; readonly workbook: RatingWorkbook }[] {
  const qualityOf = qualityOfTexts(texts, randomSource(`${seed} texts`));
  return personas.map((persona) => {
    const random = randomSource(`${seed} ${persona.name}`);
    return { persona, workbook: simulateRater(blank, { config, persona, qualityOf, random }) };
  });
}

/**
 * Has every persona rate the workbook, and writes what each hands in.
 *
 * Throws Error if one cannot finish.
 */
export async function writeSimulatedWorkbooks(
  personas: readonly Persona[],
  material: SimulationMaterial,
): Promise<readonly RatedFile[]> {
  const files: RatedFile[] = [];
  for (const { persona, workbook } of rateInTurn(personas, material)) {
    const path = join(TRANSLATION_PATHS.data, `${persona.name}.xlsx`);
    writeBytesAtomic(path, await checkpoint(workbook, material.config));
    files.push({ rater: persona.name, path });
  }
  return files;
}

/** What a simulated session needs besides the workbook. */
interface SimulationOptions {
  readonly config: RunConfig;
  readonly persona: Persona;
  readonly qualityOf: QualityOf;
  readonly random: RandomSource;
}

/** Does an action after so many seconds, and says how things stand then. */
type Act = (action: Action, seconds: number) => Session;
const START = Date.parse("2026-11-22T09:00:00.000Z");

/** Chance of a break before an item, and its length: longer than any gap that counts as work. */
const BREAK = { chance: 0.08, seconds: 240 } as const;

/** Spread of the logarithm of the seconds between two translations. */
const SPREAD_OF_SECONDS = 0.35;

/** More attempts than any item needs; a rater who never gets on is a fault of the rules. */
const MOST_ATTEMPTS = 200;

/**
 * A workbook rated from the first item to the last by a simulated rater, who sees what the page
 * shows and does what a rater can do: every rating goes through the page's own session, and where
 * Next is refused, the repair that it proposes is made.
 *
 * Throws Error if the rater cannot get past an item, or cannot finish.
 */
export function simulateRater(
  workbook: RatingWorkbook,
  options: SimulationOptions,
): RatingWorkbook {
  let elapsedMs = 0;
  const now = () => ({
    iso: new Date(START + elapsedMs).toISOString(),
    monotonicMs: elapsedMs,
  });
  let session = openSession(workbook, options.config, now());
  const act: Act = (action, seconds) => {
    elapsedMs += Math.round(1000 * seconds);
    return session = reduce(session, action, now());
  };
  workbook.items.forEach((item, index) => {
    const rests = options.random.next() < BREAK.chance;
    if (session.current !== index || rests) {
      act({ kind: "jump", index }, rests ? BREAK.seconds : 1);
    }
    rateItem(item, { ordinal: index, items: workbook.items.length }, options, act);
  });
  const { finished, notice, workbook: rated } = act({ kind: "finish" }, 2);
  if (finished) return rated;
  throw new Error(
    `Cannot simulate ${options.persona.name}: finish says ${JSON.stringify(notice)}.`,
  );
}

function rateItem(
  { input, evaluation: { displayMap } }: RatedItem,
  place: { readonly ordinal: number; readonly items: number },
  { config, persona, qualityOf, random }: SimulationOptions,
  act: Act,
): void {
  const seen = { displayMap, quality: qualityOf(input) };
  const judgements = judge(persona, seen, place, config, random);
  const median = persona.secondsPerTranslation * persona.pace ** place.ordinal;
  for (const translation of displayMap) {
    const { bucket, da } = judgements[translation]!;
    const seconds = median * Math.exp(SPREAD_OF_SECONDS * normalDeviate(random));
    act({ kind: "bucket", translation, bucket }, seconds * 0.7);
    act({ kind: "score", translation, da }, seconds * 0.3);
  }
  // Next, with the proposed repairs, until it is taken.
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const { notice } = act({ kind: "next" }, 1);
    if (notice?.kind !== "item-invalid") return;
    const fault = notice.violations.find((violation) => violation.kind === "ordering");
    if (fault === undefined) break;
    for (const change of fault.repair) act(change, persona.secondsPerTranslation / 2);
  }
  throw new Error(`Cannot simulate ${persona.name}: item ${input.itemId} stays invalid.`);
}

/**
 * A rated workbook as it is after somebody opened it in a spreadsheet, changed an item's first score
 * (`da_1`) by some points and saved it: sound in everything but its hashes.
 *
 * Throws RangeError where there is no such item or its score is no number.
 */
export async function withScoreChanged(
  bytes: Uint8Array,
  { itemId, by }: { readonly itemId: number; readonly by: number },
): Promise<Uint8Array> {
  const sheets = (await readSheets(readArchive(bytes))).map(contentOf);
  return await writeSheets(sheets.map((sheet) => {
    if (sheet.name !== EVAL) return sheet;
    const at = (heading: string) => sheet.columns.findIndex((column) => column.heading === heading);
    const place = sheet.rows.findIndex((row) => row[at("item_id")] === itemId);
    const score = sheet.rows[place]?.[at("da_1")];
    if (typeof score !== "number") {
      throw new RangeError(`Cannot change da_1 of item ${itemId}: there is no such score.`);
    }
    const rows = sheet.rows.with(place, sheet.rows[place]!.with(at("da_1"), score + by));
    return { ...sheet, rows };
  }));
}

/** The sheet as its writer takes it: the first row are headings. */
function contentOf({ name, rows: [headings, ...rows] }: Sheet): SheetContent {
  const columns = (headings?.cells ?? []).map(({ value }) => ({ heading: `${value}`, width: 14 }));
  return {
    name,
    columns,
    rows: rows.map(({ cells }) =>
      columns.map((_, index) => cells.find(({ column }) => column === index + 1)?.value)
    ),
    isProtected: false,
  };
}
