import { marked } from "marked";
import type { RunConfig } from "../configuration.ts";

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
<title>${tag.startsWith("de") ? "Hinweise" : "Instructions"}</title>
<style>${STYLE}
</style>
</head>
<body dir="auto">
${marked.parse(markdown, { async: false })}</body>
</html>
`,
  ]));
}

/** Markdown in the page's language, from what the configuration asks. */
function usualInstructions(config: RunConfig): string {
  const { language, buckets, daMin, daMax, strictOrdering, practice } = config;
  const labels = buckets.map(({ label }) => `- **${label}**`).join("\n");
  const [n, first] = [config.numTranslations, practice.length];
  const paragraphs = {
    en: [
      "# How to rate",
      "Open the rating page in a browser and your workbook in it. Nothing is sent anywhere: what you " +
      "do is in the workbook, so save it and keep the last version.",
      `Each screen has one sentence and ${n} translations of it, in an order drawn anew each time. ` +
      "Read the sentence, then all translations. Put each into a class, best first:",
      labels,
      `and give it a score from ${daMin} (worst) to ${daMax} (best).`,
      strictOrdering && "Every score in a better class is above every score in a worse one.",
      first > 0 && `The first screens (${first}) are for practice: you are told what was expected.`,
      "Judge the translation, not who may have made it. When all is done, send the workbook back.",
    ],
    de: [
      "# So wird bewertet",
      "Öffnen Sie die Bewertungsseite in einem Browser und darin Ihre Arbeitsmappe. Nichts wird " +
      "irgendwohin gesendet: Ihre Arbeit steht in der Mappe; sichern Sie sie und behalten Sie die " +
      "letzte Fassung.",
      `Jede Seite zeigt einen Satz und ${n} Übersetzungen davon, jedes Mal in neuer Reihenfolge. ` +
      "Lesen Sie den Satz, dann alle Übersetzungen. Ordnen Sie jede einer Klasse zu, beste zuerst:",
      labels,
      `und geben Sie ihr eine Punktzahl von ${daMin} (schlecht) bis ${daMax} (gut).`,
      strictOrdering && "Jede Punktzahl einer besseren Klasse liegt über jeder einer schlechteren.",
      first > 0 &&
      `Die ersten Seiten (${first}) sind zum Üben: Sie erfahren, was erwartet wurde.`,
      "Bewerten Sie die Übersetzung, nicht ihre mögliche Herkunft. Schicken Sie am Ende die Mappe " +
      "zurück.",
    ],
  };
  return paragraphs[language].filter((it) => it !== false).join("\n\n");
}
