import { jsonrepair } from "jsonrepair";
import { z } from "zod";

/** What an answer says, before anything of it is believed. */
export type ParsedAnswer =
  | {
    readonly kind: "proposal";
    readonly target: string;
    readonly replacement: string;
    readonly reason: string;
  }
  | { readonly kind: "none" }
  | { readonly kind: "unparsable"; readonly detail: string };

const PROPOSAL = z.object({
  target: z.string(),
  replacement: z.string(),
  reason: z.string().catch(""),
});

const NO_WORD = z.union([z.null(), z.string().regex(/^\s*none\s*\.?\s*$/i)]);

/** No target, no replacement, or `none` under the name of answer. */
const NONE = z.union([
  z.object({ target: z.union([NO_WORD, z.string().regex(/^\s*$/)]) }),
  z.object({ target: z.string(), replacement: NO_WORD }),
  z.object({ answer: NO_WORD }),
]);

/** Longest part of an unparsable answer that a rejection quotes. */
const QUOTED = 80;

/**
 * Reads an answer as leniently as its meaning allows: reasoning before it, code fences, prose around
 * the object, single quotes, trailing commas, a missing last brace. Of several objects the last
 * counts, and `none` behind them all is none, because reasoning goes before the answer; but not
 * behind a colon, "Other candidates:". Where no object can be used, a line that begins with none
 * says it, whatever reason is added.
 */
export function parseAnswer(text: string): ParsedAnswer {
  const said = withoutReasoning(text);
  if (saysNone(said.slice(said.lastIndexOf("}") + 1))) return { kind: "none" };
  for (const value of objectsIn(said).reverse()) {
    const proposal = PROPOSAL.safeParse(value);
    if (NONE.safeParse(value).success && said.includes("}")) return { kind: "none" };
    if (proposal.success) return { kind: "proposal", ...trimmed(proposal.data) };
  }
  if (beginsOrEndsWithNone(said)) return { kind: "none" };
  const start = [...said.replace(/\s+/gu, " ").trim()].slice(0, QUOTED).join("");
  return { kind: "unparsable", detail: start === "" ? "the answer is empty" : start };
}

/** What stands behind the end of a thought that a server left in the text. */
function withoutReasoning(text: string): string {
  return text.split(/<\/(?:think|thinking|reasoning)>/iu).at(-1)!.normalize("NFC");
}

const linesOf = (text: string) => text.split("\n").filter((line) => /\p{L}/u.test(line));

/** `none` as the whole answer or its last line, quoted, fenced or with a full stop. */
function saysNone(text: string): boolean {
  const lines = linesOf(text);
  const last = (lines.at(-1) ?? "").replace(/[^\p{L}]+/gu, " ").trim();
  return /^none$/iu.test(last) && !/:[\s*_]*$/u.test(lines.at(-2) ?? "");
}

/** "None. (Its subject is …)", "none — …", "Final answer: none", as the first line or the last. */
function beginsOrEndsWithNone(text: string): boolean {
  const none =
    /^(?:(?:the |my )?(?:final )?answer(?: is)?[^\p{L}]*)?none(?=[^\p{L}\p{M}]*$|\s*[.,;:!—–(*"'`-])/iu;
  const lines = linesOf(text).map((line) => line.replace(/^[^\p{L}]+/u, ""));
  return [lines.at(0), lines.at(-1)].some((line) => none.test(line ?? ""));
}

/** Every value that a pair of braces in the text can be read as, in order; the last may lack its end. */
function objectsIn(text: string): unknown[] {
  return text.split(/(?=\{)/u).filter((part) => part.startsWith("{")).flatMap((part) => {
    const end = part.lastIndexOf("}");
    const value = repaired(end === -1 ? withoutFence(part) : part.slice(0, end + 1));
    return value === undefined ? [] : [value];
  });
}

const withoutFence = (part: string) => part.replace(/`{3}[\s\S]*$/u, "");

function repaired(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined; // What cannot be repaired is prose.
  }
}

function trimmed({ target, replacement, reason }: z.infer<typeof PROPOSAL>) {
  return { target: bareWord(target), replacement: bareWord(replacement), reason: reason.trim() };
}

/** Without white space, punctuation and emphasis at its edges. */
function bareWord(text: string): string {
  return text.replace(/^[^\p{L}\p{M}]+|[^\p{L}\p{M}]+$/gu, "");
}
