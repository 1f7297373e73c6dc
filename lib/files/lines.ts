const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** One line of a file, as bytes: what a line holds may be no text any more. */
export interface Line {
  /** Without the line's end, be it LF or CR LF. */
  readonly bytes: Uint8Array;
  /** False for a last line that lacks its end: a write that was cut, or an editor's habit. */
  readonly terminated: boolean;
}

/** The lines of a file. What follows the last line's end is no line when it is empty. */
export function splitLines(bytes: Uint8Array): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    const carriage = found !== -1 && end > start && bytes[end - 1] === CARRIAGE_RETURN ? 1 : 0;
    lines.push({ bytes: bytes.subarray(start, end - carriage), terminated: found !== -1 });
    start = end + 1;
  }
  return lines;
}

/** The text of a line, or nothing where it is no UTF-8. */
export function decodeLine(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * A line as one line of text that loses nothing: a backslash is doubled; bytes that are no
 * UTF-8, and control characters other than the tab, become `\xNN`.
 */
export function escapeLine(bytes: Uint8Array): string {
  const whole = decodeLine(bytes);
  if (whole !== undefined) return escapeText(whole);
  let escaped = "";
  for (let position = 0; position < bytes.length;) {
    const length = characterLength(bytes, position);
    const character = bytes.subarray(position, position + Math.max(length, 1));
    escaped += length > 0 ? escapeText(decodeLine(character) ?? "") : hex(character[0] ?? 0);
    position += character.length;
  }
  return escaped;
}

/** Bytes of the UTF-8 character that begins here; 0 where none does. */
function characterLength(bytes: Uint8Array, position: number): number {
  return [1, 2, 3, 4].find((length) =>
    position + length <= bytes.length &&
    decodeLine(bytes.subarray(position, position + length)) !== undefined
  ) ?? 0;
}

function escapeText(text: string): string {
  return text.replace(
    /\\|(?!\t)\p{Cc}/gu,
    (character) =>
      character === "\\" ? "\\\\" : [...new TextEncoder().encode(character)].map(hex).join(""),
  );
}

function hex(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, "0")}`;
}

/** Whether a text holds a control character other than the tab: a line break among them. */
export function hasControl(text: string): boolean {
  return /(?!\t)\p{Cc}/u.test(text);
}
