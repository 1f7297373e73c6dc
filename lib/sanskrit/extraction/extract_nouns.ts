import { type Cell, CELLS, formatCell } from "../cell.ts";
import { toIast } from "../devanagari.ts";
import { isNeutral, pausalForm } from "../junction.ts";
import { decline } from "../paradigms.ts";
import type { LineReference } from "../treebank/annotated_noun.ts";
import type { Verse } from "../verses.ts";
import type { LexiconEntry, StopKind } from "./lexicon_entry.ts";
import { stopKind } from "./stop_words.ts";

/** Why a word in a place is no noun, whatever its form. */
type Stopped = (form: string, place: string) => StopKind | undefined;

/** A noun form found in the text. */
export interface NounToken {
  readonly line: LineReference;
  /** 1-based position among the tokens of the line. */
  readonly token: number;
  /** As written, in Devanagari. */
  readonly form: string;
  readonly entry: LexiconEntry;
  /** What the form may be, vocatives aside: several where the paradigm has one form for them. */
  readonly cells: readonly Cell[];
}

/** Why a word with a noun's form was passed over. */
export type PassedOver = "changed by sandhi" | "vocative" | "two lexicon entries" | StopKind;

export interface Extraction {
  readonly tokens: readonly NounToken[];
  readonly passedOver: readonly { readonly form: string; readonly reason: PassedOver }[];
}

interface FormEntry {
  readonly entry: LexiconEntry;
  readonly cells: readonly Cell[];
}

/**
 * Every word of the text that is, as a whole and unchanged by sandhi, a form of a noun in the
 * lexicon. Words on the stop list are other words of the same form, all or in some places.
 */
export function extractNouns(
  verses: readonly Verse[],
  lexicon: readonly LexiconEntry[],
  stopped: Stopped = stopKind,
): Extraction {
  const forms = formIndex(lexicon);
  const tokens: NounToken[] = [];
  const passedOver: Extraction["passedOver"][number][] = [];
  for (const { id, lines } of verses) {
    for (const { label, text } of lines) {
      const written = text.split(" ");
      for (const [index, form] of written.entries()) {
        const next = written[index + 1];
        const found = recognise(
          form,
          next,
          forms,
          () => stopped(form, `${id}.${label}.${index + 1}`),
        );
        if (found === undefined) continue;
        if ("reason" in found) passedOver.push({ form, reason: found.reason });
        else tokens.push({ line: { verse: id, label }, token: index + 1, form, ...found });
      }
    }
  }
  return { tokens, passedOver };
}

function recognise(
  form: string,
  next: string | undefined,
  forms: ReadonlyMap<string, readonly FormEntry[]>,
  stopHere: () => StopKind | undefined,
): FormEntry | { readonly reason: PassedOver } | undefined {
  const iast = toIast(form);
  const candidates = forms.get(pausalForm(iast));
  if (candidates === undefined) return undefined;
  const stop = stopHere();
  if (stop !== undefined) return { reason: stop };
  if (!isNeutral(iast, next === undefined ? undefined : toIast(next))) {
    return { reason: "changed by sandhi" };
  }
  const [found, ...others] = candidates;
  if (others.length > 0) return { reason: "two lexicon entries" };
  const cells = found!.cells.filter((cell) => cell.case !== "vocative");
  return cells.length === 0 ? { reason: "vocative" } : { ...found!, cells };
}

/** Forms of the whole lexicon with what each may be. */
function formIndex(lexicon: readonly LexiconEntry[]): ReadonlyMap<string, readonly FormEntry[]> {
  const index = new Map<string, FormEntry[]>();
  for (const entry of lexicon) {
    const paradigm = decline(entry.stem, entry.declension);
    for (const form of new Set(CELLS.flatMap((cell) => paradigm.forms(cell)))) {
      index.set(form, [...(index.get(form) ?? []), { entry, cells: paradigm.cellsOf(form) }]);
    }
  }
  return index;
}

/** What a form may be, as data files name it: `acc.sg`, `nom.sg/acc.sg`. */
export function formatCells(cells: readonly Cell[]): string {
  return cells.map(formatCell).join("/");
}
