import { type Cell, CELLS, formatCell, type Gender } from "./cell.ts";
import {
  ADJECTIVE_CLASSES,
  type AdjectiveClass,
  type DeclensionClass,
  DECLENSIONS,
} from "./declension.ts";
import { compoundMembers } from "./paradigms/compound.ts";
import { CONSONANTS, phonemes } from "./phonemes.ts";
import { applyRetroflexion } from "./retroflexion.ts";

/** All forms of one word in one gender, in IAST and as they are in pausa. */
export interface Paradigm {
  /** The stem in IAST as it was given, with a hyphen between the members of a compound. */
  readonly stem: string;
  readonly class: DeclensionClass;
  readonly gender: Gender;
  /** What may stand in a cell, the usual form first; never empty. */
  readonly forms: (cell: Cell) => readonly string[];
  /** Every cell that a form may be, in the order of {@link CELLS}; none for a form of another word. */
  readonly cellsOf: (form: string) => readonly Cell[];
}

const isCluster = (sounds: readonly string[]) =>
  sounds.length === 2 && sounds.every((sound) => CONSONANTS.has(sound));

/** The stem as said, without the end of its class. @throws RangeError where the class does not fit. */
function baseOf(stem: string, name: DeclensionClass): string {
  const { stemEnd } = DECLENSIONS[name];
  const said = compoundMembers(stem);
  const [letters, end] = [phonemes(said.at(-1)!), phonemes(stemEnd)];
  const fail = (remedy: string) => {
    throw new RangeError(`Cannot decline "${stem}" as ${name}: the stem must end in ${remedy}.`);
  };
  if (end.some((sound, at) => letters.at(at - end.length) !== sound)) fail(`-${stemEnd}`);
  // rājan and nāman lose their a (rājñaḥ, nāmnā): they would need a table of their own.
  if (stemEnd === "an" && !isCluster(letters.slice(-4, -2))) fail("-an after two consonants");
  return said.join("-").slice(0, -stemEnd.length);
}

/**
 * A base and its ending as one word. Only the ending's n is up for change: a stem is given as the
 * dictionary has it. r or ṣ of an earlier member leaves the choice (Pāṇini 8.4.11): the form without
 * ṇ comes first, since texts prefer it (karmayogena in Gītā 3.3).
 */
function joinForms(base: string, ending: string): readonly string[] {
  const inMember = applyRetroflexion(base + ending).slice(base.length);
  const closed = base.replaceAll("-", "");
  const acrossMembers = applyRetroflexion(closed + ending).slice(closed.length);
  return [closed + inMember, closed + acrossMembers];
}

/**
 * The paradigm of a stem in IAST, e.g. `decline("kula-dharma", "a_masculine")`: hyphens mark the
 * members of a compound, whose vowels are joined (`jñāna-agni`); they are not in the forms.
 * @throws SyntaxError when the stem is no IAST, RangeError when it ends otherwise than its class.
 */
export function decline(stem: string, name: DeclensionClass): Paradigm {
  const { gender, endings } = DECLENSIONS[name];
  const base = baseOf(stem, name);
  const formsByCell = new Map(CELLS.map((cell) => {
    const forms = endings[cell.case][cell.number].flatMap((ending) => joinForms(base, ending));
    return [formatCell(cell), [...new Set(forms)]];
  }));
  const forms = (cell: Cell) => formsByCell.get(formatCell(cell))!;
  const cellsOf = (form: string) => CELLS.filter((cell) => forms(cell).includes(form));
  return { stem, class: name, gender, forms, cellsOf };
}

/**
 * An adjective in its three genders; the stem is the masculine's: `declineAdjective("sarva", "pronominal")`.
 * @throws as {@link decline} does.
 */
export function declineAdjective(
  stem: string,
  adjectiveClass: AdjectiveClass,
): Readonly<Record<Gender, Paradigm>> {
  const { masculine, feminine, neuter } = ADJECTIVE_CLASSES[adjectiveClass];
  return {
    masculine: decline(stem, masculine),
    feminine: decline(stem.replace(/a$/u, "ā"), feminine),
    neuter: decline(stem, neuter),
  };
}
