const begin = (name: string) => `<!-- begin ${name} (generated, edits are lost) -->`;
const end = (name: string) => `<!-- end ${name} -->`;

/**
 * The document with the text between `name`'s two markers exchanged; the rest stays to the letter.
 * @throws SyntaxError when a marker is missing, doubled, or they stand in the wrong order.
 */
export function replaceMarkedSection(document: string, name: string, body: string): string {
  const [head, rest, more] = document.split(begin(name));
  const [, tail, extra] = rest?.split(end(name)) ?? [];
  if (head === undefined || tail === undefined || more !== undefined || extra !== undefined) {
    throw new SyntaxError(
      `Cannot write section "${name}": the document needs the lines "${begin(name)}" and ` +
        `"${end(name)}" once each, in this order.`,
    );
  }
  return `${head}${begin(name)}\n\n${body.trim()}\n\n${end(name)}${tail}`;
}
