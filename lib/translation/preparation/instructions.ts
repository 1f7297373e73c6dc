import { marked } from "marked";
import type { RunConfig } from "../configuration.ts";
import { textsOf } from "../texts.ts";

const STYLE = `
  body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; line-height: 1.5;
    font-family: system-ui, sans-serif; color-scheme: light dark; }
  table { border-collapse: collapse; }
  th, td { padding: 0.2rem 0.6rem; border: 1px solid; text-align: start; }
  img { max-width: 100%; }`;

/**
 * What raters are told, a self-contained HTML page for each language: file name → text. Without
 * instructions in the configuration it is what follows from buckets, scale and rules. A page may
 * hold HTML and pictures as `data:`; it fetches nothing and runs no script.
 */
export function instructionPages(config: RunConfig): ReadonlyMap<string, string> {
  const told = Object.entries(config.instructions);
  const pages = told.length > 0 ? told : [[config.language, usualInstructions(config)] as const];
  return new Map(pages.map(([tag, markdown]) => [
    tag === "und" ? "instructions.html" : `instructions_${tag}.html`,
    `<!doctype html>
<html lang="${tag === "und" ? "" : tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${textsOf(config)("instructions")}</title>
<style>${STYLE}
</style>
</head>
<body dir="auto">
${marked.parse(markdown, { async: false })}</body>
</html>
`,
  ]));
}

/** Markdown in the page's language and words. */
function usualInstructions(config: RunConfig): string {
  const texts = textsOf(config);
  const labels = config.buckets.map(({ label }) => label);
  const [better, worse] = labels as [string, string];
  return `# ${texts("title")}\n\n` + texts("lead", {
    n: config.numTranslations,
    buckets: texts.listed(labels, "or"),
    min: config.daMin,
    max: config.daMax,
    rule: config.strictOrdering ? texts("orderRule", { better, worse }) : "",
  });
}
