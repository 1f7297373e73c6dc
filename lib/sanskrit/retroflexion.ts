import { GUTTURALS, LABIALS, phonemes, VOWELS } from "./phonemes.ts";

/** What turns a later n into ṇ. Source: Whitney, Sanskrit Grammar, § 189; Pāṇini 8.4.1. */
const TRIGGERS: ReadonlySet<string> = new Set(["ṛ", "ṝ", "r", "ṣ"]);

/**
 * What may stand between trigger and n: whatever does not move the tip of the tongue. Everything
 * else blocks: palatals but y, retroflexes, dentals, l, ś, s. Source: Pāṇini 8.4.2 and Patañjali on
 * it, who counts the visarga with the vowels (uraḥkeṇa); Whitney § 189.
 */
const TRANSPARENT: ReadonlySet<string> = new Set([
  ...VOWELS,
  ...GUTTURALS,
  ...LABIALS,
  ...["y", "v", "h", "ṃ", "m̐", "ḥ"],
]);

/** What must follow the n: so it never changes at a word's end (Pāṇini 8.4.37) nor before a stop. */
const LICENSING: ReadonlySet<string> = new Set([...VOWELS, "m", "y", "v"]);

/** Where the run of n's that begins at `start` ends: nn changes as one (viṣaṇṇa, Pāṇini 8.4.41). */
function endOfRun(letters: readonly string[], start: number): number {
  let end = start + 1;
  while (letters[end] === "n") end += 1;
  return end;
}

function retroflexMember(member: string): string {
  const letters = [...phonemes(member)];
  let triggered = false;
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at]!;
    if (letter === "n" && triggered) {
      const end = endOfRun(letters, at);
      if (LICENSING.has(letters[end] ?? "")) letters.fill("ṇ", at, end);
    }
    triggered = TRIGGERS.has(letter) || (triggered && TRANSPARENT.has(letter));
  }
  return letters.join("");
}

/**
 * A word in IAST with n → ṇ wherever the rule asks for it: puruṣena → puruṣeṇa, rathena as it is.
 *
 * A hyphen between the members of a compound stays, and the rule does not look across it
 * (Pāṇini 8.4.3 lets it, in names only).
 * @throws SyntaxError for what is no IAST.
 */
export function applyRetroflexion(form: string): string {
  return form.normalize("NFC").split("-").map(retroflexMember).join("-");
}
