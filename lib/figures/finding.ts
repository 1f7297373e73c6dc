/** One finding of RESULTS.md: a heading, what was found, and what follows from it. */
export interface Finding {
  /** Position among the findings of all studies, from 1. */
  readonly number: number;
  readonly title: string;
  /** Sentences, tables and figures, in order; an empty one is left out. */
  readonly parts: readonly string[];
  readonly soWhat: string;
  /** Names of the files that the numbers come from. */
  readonly files: readonly string[];
}

/** Returns a finding as Markdown: heading, parts, what follows from it, and the files of its numbers. */
export function findingSection({ number, title, parts, soWhat, files }: Finding): string {
  const sources = files.map((file) => `\`${file}\``).join(", ");
  return [`### ${number}. ${title}`, ...parts.filter(Boolean), `*So what:* ${soWhat} (${sources})`]
    .join("\n\n");
}

/** Returns a figure of `figures/` as an image of a column's width. */
export const figureImage = (name: string, alt: string): string =>
  `<img src="figures/${name}.png" alt="${alt}" width="540">`;
