/**
 * Self-contained HTML pages with escaped text and a Content-Security-Policy that blocks all
 * loading.
 */
import { createHash } from "node:crypto";

/**
 * Returns a page from parts in HTML. Only this style, and scripts that `allowed` permits, take
 * effect.
 */
export function page(
  parts:
    & Record<"title" | "style" | "allowed" | "header" | "main" | "footer" | "script", string>
    & { readonly head?: string },
): string {
  const { title, style, allowed, header, main, footer, script, head = "" } = parts;
  const policy = `default-src 'none'; style-src '${policyHash(style)}'; ${allowed}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
${head}</head>
<body>
<header>
<h1>${title}</h1>
${header}
</header>
<main>
${main}
</main>
<footer class="page">
${footer}
</footer>
${script}</body>
</html>
`;
}

/** Hash by which a Content-Security-Policy allows a style or script. */
export const policyHash = (text: string) =>
  `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** Escapes foreign text for a page or an attribute's value. */
export const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;")
    // What HTML does not allow at all, lone halves of characters among it.
    .replace(/(?![\t\n\r])\p{Cc}/gu, "\ufffd").toWellFormed();

/** Returns a section with a heading; empty without content. */
export const section = (title: string, content: string) =>
  content && `<section>\n<h2>${title}</h2>\n${content}\n</section>`;

/** Returns an HTML list; empty without items. Items are HTML. */
export const listMarkup = (items: readonly string[]) =>
  items.length === 0 ? "" : `<ul>\n${items.map((item) => `<li>${item}</li>`).join("\n")}\n</ul>`;

/** Renders a table in a scrolling box. Cells are HTML; the first of each row is its heading. */
export function tableMarkup(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join("");
  const body = rows.map(([first, ...cells]) =>
    `<tr><th scope="row">${first}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`
  ).join("\n");
  return `<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table>\n` +
    `<caption>${caption}</caption>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n` +
    "</table></div>";
}

/**
 * Style sheet of reports, with contrast 4.5 : 1. Colours (Okabe & Ito) are doubled by lines and
 * signs.
 */
export const PAGE_STYLE = Deno.readTextFileSync(new URL("./page.css", import.meta.url));
