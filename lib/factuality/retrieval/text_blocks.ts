/** Paragraphs longer than this are cut, so that a file without blank lines is never held whole. */
const LONGEST_BLOCK = 20_000;

/** A paragraph, and the heading that it stands under. */
export interface TextBlock {
  /** The empty string before the first heading. */
  readonly heading: string;
  readonly text: string;
}

/** Paragraphs of plain text: what blank lines set apart. */
export async function* plainBlocks(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<TextBlock> {
  yield* blocks(lines, () => undefined);
}

/** Paragraphs of Markdown under its `#` headings; emphasis, code marks and link targets go. */
export async function* markdownBlocks(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<TextBlock> {
  const heading = (line: string) => /^ {0,3}#{1,6}\s+(.*?)\s*#*$/u.exec(line)?.[1];
  for await (const { heading: title, text } of blocks(lines, heading)) {
    yield { heading: withoutMarks(title), text: withoutMarks(text) };
  }
}

async function* blocks(
  lines: AsyncIterable<string> | Iterable<string>,
  headingOf: (line: string) => string | undefined,
): AsyncGenerator<TextBlock> {
  let [heading, text] = ["", ""];
  for await (const line of lines) {
    const next = headingOf(line);
    if (next === undefined && line.trim() !== "") text += `${line}\n`;
    else {
      if (text !== "") yield { heading, text };
      text = "";
    }
    if (text.length > LONGEST_BLOCK) {
      yield { heading, text };
      text = "";
    }
    heading = next ?? heading;
  }
  if (text !== "") yield { heading, text };
}

function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replace(/^\s*(?:[-*+]|\d+[.)]|>)\s+/gmu, "")
    .replace(/(\*\*|__|~~|`+)(\S(?:[^\n]*?\S)?)\1/gu, "$2")
    .replace(/(?<![\p{L}\p{N}])([*_])(\S(?:[^\n]*?\S)?)\1(?![\p{L}\p{N}])/gu, "$2");
}
