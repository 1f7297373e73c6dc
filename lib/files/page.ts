/** Self-contained HTML pages: markup of others' words, a frame, and a policy under which nothing is fetched. */
import { createHash } from "node:crypto";

/** A whole page; its parts are markup. Only this style, and what is `allowed`, can run. */
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

/** A section with a heading; nothing where it would be empty. */
export const section = (title: string, content: string) =>
  content && `<section>\n<h2>${title}</h2>\n${content}\n</section>`;

/** A list; nothing without items. The items are markup. */
export const listMarkup = (items: readonly string[]) =>
  items.length === 0 ? "" : `<ul>\n${items.map((item) => `<li>${item}</li>`).join("\n")}\n</ul>`;

/** Renders a table in a scrolling box. Cells are markup; the first of a row is its heading. */
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
 * The style sheet of reports: contrast 4.5 : 1, line and sign as well as colour (Okabe and Ito's).
 */
export const PAGE_STYLE = Deno.readTextFileSync(new URL("./page.css", import.meta.url));
