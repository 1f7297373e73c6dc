/** One finding of RESULTS.md: heading, results, and their consequence. */
export interface Finding {
  /** Position among the findings of all studies, from 1. */
  readonly number: number;
  readonly title: string;
  /** Sentences, tables and figures in order. Empty ones are left out. */
  readonly parts: readonly string[];
  readonly soWhat: string;
  /** Names of the source files of the numbers. */
  readonly files: readonly string[];
}

/** Formats a finding as Markdown: heading, parts, consequence and source files. */
export function findingSection({ number, title, parts, soWhat, files }: Finding): string {
  const sources = files.map((file) => `\`${file}\``).join(", ");
  return [`### ${number}. ${title}`, ...parts.filter(Boolean), `*So what:* ${soWhat} (${sources})`]
    .join("\n\n");
}

/** Returns an image of a figure in `figures/`, as wide as a column. */
export const figureImage = (name: string, alt: string): string =>
  `<img src="figures/${name}.png" alt="${alt}" width="540">`;
