import { markdownTable } from "../../../figures/markdown_table.ts";
import type { Claim, ClaimNote } from "../../claims/claim.ts";

/** The claims of a text, what they turn on, and what the splitter did to make them stand alone. */
export function claimTable(claims: readonly Claim[]): string {
  return markdownTable(
    ["claim", "text", "turns on", "to be checked", "notes"],
    claims.map(({ id, text, kind, notCheckable, notes }) => [
      id,
      text,
      kind,
      notCheckable === undefined ? "yes" : `no: ${notCheckable}`,
      notes.map(noteText).join("; "),
    ]),
  );
}

/** The words of the text that each claim stands on, cut out by its spans. */
export function spanTable(text: string, claims: readonly Claim[]): string {
  return markdownTable(
    ["claim", "its own words in the text", "at"],
    claims.map(({ id, spans }) => [
      id,
      spans.map(({ start, end }) => text.slice(start, end)).join(" … "),
      spans.map(({ start, end }) => `${start}–${end}`).join(", "),
    ]),
  );
}

function noteText(note: ClaimNote): string {
  switch (note.kind) {
    case "pronoun resolved":
      return `“${note.pronoun}” read as “${note.to}”`;
    case "pronoun unresolved":
      return `“${note.pronoun}” left open`;
    case "subject supplied":
      return `subject “${note.subject}” supplied`;
  }
}
