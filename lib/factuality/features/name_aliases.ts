import type { Word } from "./word.ts";

/** Letters alone, without accents, dots and possessive: "u.s." is "us", "renée" is "renee". */
export function plainName(name: string): string {
  return name.normalize("NFD").replace(/\p{M}|['’]s$|[.'’]/gu, "").toLowerCase();
}

/** Gives each word of a name of several words its initials and the name written together. */
export function withAliases(words: readonly Word[], text: string): readonly Word[] {
  const named: Word[] = [];
  for (let index = 0; index < words.length;) {
    const run = nameFrom(words, index, text);
    const names = run.map((word) => plainName(word.text));
    const aliases = run.length < 2 ? [] : [names.map((name) => name[0]).join(""), names.join("")];
    named.push(...(run.length < 2 ? [words[index]!] : run.map((word) => ({ ...word, aliases }))));
    index += Math.max(run.length, 1);
  }
  return named;
}

/** Names with nothing but a space between them, from an index on. */
function nameFrom(words: readonly Word[], first: number, text: string): readonly Word[] {
  let end = first;
  while (end < words.length && isPlainName(words[end]!)) {
    end++;
    if (end < words.length && text.slice(words[end - 1]!.end, words[end]!.start) !== " ") break;
  }
  return words.slice(first, end);
}

const isPlainName = ({ wordClass, entry }: Word) => wordClass === "name" && entry === undefined;
