/** One finding of RESULTS.md: a heading, a statement, a table or a figure, and what follows from it. */
export interface Finding {
  /** Position in RESULTS.md, counted through all studies. */
  readonly number: number;
  readonly title: string;
  /** One or two sentences; no sentence has more than one measurement that the table repeats. */
  readonly statement: string;
  /** Markdown tables or an image, in the order of reading. */
  readonly shown: readonly string[];
  readonly soWhat: string;
  /** Files of the study's folder that hold the numbers. */
  readonly files: readonly string[];
}

/** Returns a finding as Markdown, with a heading of the third level. */
export const findingSection = (
  { number, title, statement, shown, soWhat, files }: Finding,
): string =>
  [
    `### ${number}. ${title}`,
    statement,
    ...shown,
    `*So what:* ${soWhat} (${files.map((file) => `\`${file}\``).join(", ")})`,
  ].join("\n\n");
