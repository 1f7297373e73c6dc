import { NOMINATIVE_PRONOUNS, type ObliqueForm, REFLEXIVES } from "./pronouns.ts";
import { OBLIQUE_PRONOUNS } from "./pronouns.ts";
import { OBLIQUE_NOUNS } from "./nominative_forms.ts";
import { FINITE_FORMS } from "./verb_agreement.ts";
import type { FramePlace } from "./frame.ts";
import { between, type Token } from "../tokens.ts";

/** Words between two punctuation marks, the stretch in which a frame must be complete. */
export interface Stretch {
  readonly tokens: readonly Token[];
}

/** A noun phrase found at its place in a frame. */
export interface Place {
  readonly stretch: Stretch;
  readonly head: number;
  readonly subject: number;
  readonly token: Token;
  /** Undefined for the reflexive, which has no nominative. */
  readonly oblique: ObliqueForm | undefined;
}

const OBLIQUE: ReadonlyMap<string, ObliqueForm> = new Map(
  [...OBLIQUE_NOUNS, ...OBLIQUE_PRONOUNS].map((row) => [row.form, row]),
);

const NOUNS: ReadonlySet<string> = new Set(OBLIQUE_NOUNS.map((row) => row.form));
const TITLES: ReadonlySet<string> = new Set(["konungi"]);
const DETERMINERS: ReadonlySet<string> = new Set(
  "þessum þessu ǫllum mǫrgum fám færum engum hverjum ǫðrum þeim því".split(" "),
);

const PREPOSITIONS: ReadonlySet<string> = new Set(
  `af á í við frá fyrir hjá með mót móti ór um undir yfir til eptir gegn nær milli`.split(" "),
);

/** Nouns of body and mind: a dative after one of them is its possessor. */
const INALIENABLE: ReadonlySet<string> = new Set(
  `hjarta hendi hǫnd hendr munn munni brjósti brjóst háls hǫfuð hǫfði fœtr fótum tungu augum augliti
   fingri fang knjám rekkju hug`.split(/\s+/u),
);

/** Cuts at every mark of punctuation. */
export function stretches(text: string, tokens: readonly Token[]): readonly Stretch[] {
  const found: Token[][] = [];
  tokens.forEach((token, i) => {
    const previous = tokens[i - 1];
    const isNew = previous === undefined || /[^\s]/u.test(between(text, previous, token));
    if (isNew) found.push([]);
    found.at(-1)?.push(token);
  });
  return found.map((words) => ({ tokens: words }));
}

/** `at` opens a clause at the start of a stretch and after því; otherwise it is the preposition. */
export function followsPreposition(stretch: Stretch, index: number): boolean {
  const previous = stretch.tokens[index - 1]?.lower;
  if (previous === undefined) return false;
  if (previous !== "at") return PREPOSITIONS.has(previous);
  return index > 1 && stretch.tokens[index - 2]?.lower !== "því";
}

/** A dative right after a part of the body is its possessor: í hjarta mér. */
export function followsPossession(stretch: Stretch, index: number): boolean {
  return INALIENABLE.has(stretch.tokens[index - 1]?.lower ?? "");
}

/** Has the finite head its nominative subject right before it, as in `hann þótti`? */
export function hasNominativeBefore(stretch: Stretch, head: number, subject: number): boolean {
  return subject > head && FINITE_FORMS.has(stretch.tokens[head]?.lower ?? "") &&
    NOMINATIVE_PRONOUNS.has(stretch.tokens[head - 1]?.lower ?? "");
}

/** The finite verb of the frame: the head itself, or the finite form nearest to it. */
export function finiteVerb(stretch: Stretch, head: number): string | undefined {
  return stretch.tokens
    .map((token, i) => ({ form: token.lower, distance: Math.abs(i - head) }))
    .filter(({ form }) => FINITE_FORMS.has(form))
    .sort((a, b) => a.distance - b.distance)[0]?.form;
}

function fits(frame: FramePlace, lower: string): boolean {
  if (REFLEXIVES.has(lower)) return true;
  const oblique = OBLIQUE.get(lower);
  return oblique !== undefined && oblique.cases.includes(frame.case) &&
    (oblique.inanimate !== true || frame.thing === true);
}

/** Attributive: a pronominal adjective before its noun, or a title after its name. */
function belongsToNeighbour(stretch: Stretch, index: number): boolean {
  const word = stretch.tokens[index]?.lower ?? "";
  const next = stretch.tokens[index + 1]?.lower ?? "";
  const previous = stretch.tokens[index - 1]?.lower ?? "";
  if (TITLES.has(word) && NOUNS.has(previous)) return true;
  return DETERMINERS.has(word) && next !== "báðum" && (/um$/u.test(next) || NOUNS.has(next));
}

function hasCompanions(frame: FramePlace, stretch: Stretch, head: number): boolean {
  const others = new Set(stretch.tokens.filter((_, i) => i !== head).map((token) => token.lower));
  return (frame.companions ?? []).every((group) => group.some((word) => others.has(word)));
}

/**
 * The noun phrases within the frame's reach of one head, the likeliest subject first: not in a
 * prepositional phrase, nearest to the head, before it rather than after.
 */
function placesAt(frame: FramePlace, stretch: Stretch, head: number): readonly Place[] {
  const rank = ({ subject }: Place) =>
    (followsPreposition(stretch, subject) ? 1000 : 0) + 10 * Math.abs(subject - head) +
    (subject < head ? 0 : 1);
  return stretch.tokens
    .map((token, subject): Place => ({
      stretch,
      head,
      subject,
      token,
      oblique: OBLIQUE.get(token.lower),
    }))
    .filter(({ token, subject }) =>
      subject !== head && Math.abs(subject - head) - 1 <= frame.gap && fits(frame, token.lower) &&
      !belongsToNeighbour(stretch, subject)
    )
    .sort((a, b) => rank(a) - rank(b));
}

/** Every place where the frame is complete, at most one for each occurrence of its head. */
export function placesOf(frame: FramePlace, stretch: Stretch): readonly Place[] {
  return stretch.tokens.flatMap((token, head) => {
    if (!frame.heads.includes(token.lower) || !hasCompanions(frame, stretch, head)) return [];
    return placesAt(frame, stretch, head).slice(0, 1);
  });
}
