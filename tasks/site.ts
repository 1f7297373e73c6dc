/**
 * Builds the static site from committed files. It has findings, the pair browser, the rating page,
 * a factuality report, notebooks and manuals. Browsers open it from disk; any static host serves
 * it. The build is deterministic: the same files give the same bytes.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as posix from "node:path/posix";
import { fileURLToPath } from "node:url";
import { marked, Renderer, type Tokens } from "marked";
import { readCitation } from "../lib/files/citation.ts";
import { escapeHtml, listMarkup, page, PAGE_STYLE, policyHash } from "../lib/files/page.ts";
import { command, EXIT, run } from "./command.ts";
import { shownCells } from "./notebook/nbformat.ts";
import { buildPage, bundleScript, inlineScript } from "./rate/build_page.ts";
import { browserMarkup, collectPairs } from "./site/pairs.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Returns the site's files by path. @throws {Error} naming a broken link and its page. */
export async function siteFiles(): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const files = new Map<string, string | Uint8Array>();
  const linkedBy = new Map<string, string>();
  const render = (file: string, text = textOf(file)) => {
    const page = filePage(file, text);
    page.links.forEach((link) => linkedBy.set(link, file));
    return page;
  };
  const put = (file: string, index = 0, all: readonly string[] = []) => {
    const [place, { title, body }] = [placeOf(file), render(file)];
    const neighbours = { "← Previous": all[index - 1], "Next →": all[index + 1] };
    const main = body + neighbourLinks(place, neighbours);
    files.set(place, sitePage({ place, title, main }));
    return `<a href="${place}">${title}</a>`;
  };
  const inOrder = (folder: string, ending: string) =>
    [...Deno.readDirSync(join(ROOT, folder))].map(({ name }) => `${folder}/${name}`)
      .filter((file) => file.endsWith(ending)).sort();
  const [lead, doors] = opening(textOf("README.md"));
  const { title, body } = render("README.md", lead);
  const main = `${render("README.md", doors).body}
${render("RESULTS.md").body}
<h2 id="notebooks">Notebooks</h2>${listMarkup(inOrder("notebooks", ".ipynb").map(put))}
<h2 id="manuals">Manuals</h2>${listMarkup(inOrder("docs", ".md").map((file) => put(file)))}`;
  files.set(
    "index.html",
    sitePage({ place: "index.html", title, lead: body, main, head: jsonLd() }),
  );
  files.set("pairs.html", await pairsPage());
  files.set("rate.html", (await buildPage({ config: undefined, workbook: undefined })).html);
  files.set(REPORT, textOf(REPORT).replace("<header>", `<header>\n${navigation(REPORT)}`));
  // What pages link to is there too; among it there may be pages that link to more.
  for (const [file, by] of linkedBy) {
    if (files.has(placeOf(file))) continue;
    try {
      if (file.endsWith(".md")) put(file);
      else files.set(file, Deno.readFileSync(join(ROOT, file)));
    } catch (cause) {
      throw new Error(`Cannot build the site: ${by} links to ${file}, which cannot be read.`, {
        cause,
      });
    }
  }
  return files;
}

/** The line of README.md where the site's first page ends. */
const OPENING_ENDS = "<!-- the site's first page ends here -->";

/**
 * Splits README's opening into the lead and the sections up to the mark.
 * @throws {Error} where there is no mark.
 */
export function opening(readme: string): readonly [lead: string, doors: string] {
  const end = readme.indexOf(OPENING_ENDS);
  if (end === -1) {
    throw new Error(
      `Cannot build the site: README.md has no line ${OPENING_ENDS}. Write it below the doors.`,
    );
  }
  const first = readme.search(/^## /m);
  const begin = first === -1 ? end : Math.min(first, end);
  return [readme.slice(0, begin), readme.slice(begin, end)];
}

/** The project as a schema.org Dataset in JSON-LD, for search engines of data sets. */
function jsonLd(): string {
  const citation = readCitation(textOf("CITATION.cff"), "CITATION.cff");
  const { title: name, abstract: description, version, date, authors, licence, keywords } =
    citation;
  const { doi, url } = citation;
  const data = {
    "@context": "https://schema.org/",
    "@type": "Dataset",
    ...{ name, description, version, keywords },
    datePublished: date,
    creator: authors.map(({ name, kind }) => ({ "@type": kind, name })),
    license: `https://spdx.org/licenses/${licence}.html`,
    isAccessibleForFree: true,
    inLanguage: ["non", "sa", "en", "de"],
    ...doi === undefined ? {} : { identifier: `https://doi.org/${doi}` },
    ...url === undefined ? {} : { url },
  };
  return `<script type="application/ld+json">${inertJson(data)}</script>`;
}

/** Serialises JSON so that it cannot end the element around it. */
const inertJson = (value: unknown) =>
  JSON.stringify(value).replaceAll(/<(?=!--|\/?script)/gi, "\\u003c");

const textOf = (file: string) => Deno.readTextFileSync(join(ROOT, file));

async function pairsPage(): Promise<string> {
  const collection = collectPairs();
  const script = inlineScript(await bundleScript("pairs/main.ts"));
  return sitePage({
    place: "pairs.html",
    title: "Pairs",
    main: browserMarkup(collection),
    allowed: `script-src '${policyHash(script)}'`,
    script: `<script type="application/json" id="collection">${inertJson(collection)}</script>
<script type="module">${script}</script>`,
    lead:
      `<p>Each with its certificate and what models made of it: in how many of two orders they chose
the grammatical member, and by how many nats they find it the more probable. No human expert has read them.
<a href="docs/site.html">What signs and measures mean</a></p>`,
  });
}

/** Writes the site's files into a folder, replacing its previous contents. */
export function writeSite(files: ReadonlyMap<string, string | Uint8Array>, folder: string): void {
  if (existsSync(folder)) Deno.removeSync(folder, { recursive: true });
  for (const [place, content] of files) {
    const path = join(folder, place);
    Deno.mkdirSync(dirname(path), { recursive: true });
    if (typeof content === "string") Deno.writeTextFileSync(path, content);
    else Deno.writeFileSync(path, content);
  }
}

/* Markdown and notebooks of the repository as pages that fetch nothing, their links resolved. */

const STYLE = PAGE_STYLE + Deno.readTextFileSync(new URL("./site/site.css", import.meta.url));

export const REPORT = "data/factuality/example_report.html";

/** Links in every page's navigation bar, by path. */
const ROOMS: Readonly<Record<string, string>> = {
  "index.html": "Touchstone",
  "pairs.html": "Pairs",
  "rate.html": "Rating page",
  [REPORT]: "A factuality report",
  "index.html#notebooks": "Notebooks",
  "index.html#manuals": "Manuals",
};

/** Path of a repository file on the site; README and RESULTS together are its first page. */
const placeOf = (file: string) =>
  file.replace(/^(README|RESULTS)\.md$/, "index.html").replace(/\.(md|ipynb)$/, ".html");

/** Returns the relative path between two pages of the site. */
const pathFrom = (place: string, to: string) => posix.relative(posix.dirname(place), to);

/** Renders the navigation bar with links to the main pages. */
function navigation(place: string): string {
  const links = Object.entries(ROOMS).map(([room, name]) =>
    `<a href="${pathFrom(place, room)}"${room === place ? ' aria-current="page"' : ""}>${name}</a>`
  );
  return `<nav class="rooms legend" aria-label="Site">${links.join(" ")}</nav>`;
}

/** Renders links to the previous and next file; empty without neighbours. */
function neighbourLinks(
  place: string,
  files: Readonly<Record<string, string | undefined>>,
): string {
  const links = Object.entries(files).flatMap(([words, file]) =>
    file === undefined ? [] : `<a href="${pathFrom(place, placeOf(file))}">${words}</a>`
  );
  return links.length === 0 ? "" : `<p>${links.join(" · ")}</p>`;
}

type Parts =
  & Record<"place" | "title" | "main", string>
  & Partial<Record<"lead" | "script" | "allowed" | "head", string>>;

/**
 * Returns an HTML page with a Content-Security-Policy. It may show the site's pictures and run
 * scripts that `allowed` permits. It fetches nothing.
 */
function sitePage({ place, title, main, lead = "", script = "", allowed = "", head = "" }: Parts) {
  return page({
    title,
    head,
    main,
    script,
    style: STYLE,
    footer: "",
    header: `${navigation(place)}\n${lead}`,
    // To a page that was opened from disk the files next to it are not always `self`.
    allowed: `img-src 'self' file: data:; ${allowed}`,
  });
}

/** Markdown renderer that escapes HTML except pictures and drops links off the site. */
class PageRenderer extends Renderer {
  /** Text of the first heading, which is removed from the markup. */
  title = "";
  /** Paths of the files linked to or shown. */
  readonly links = new Set<string>();
  readonly #ids = new Map<string, number>();

  constructor(readonly file: string) {
    super();
  }

  markup(text: string): string {
    return marked.parse(text, { renderer: this, async: false });
  }

  /** Returns a link's address on the site; undefined if it leads elsewhere. */
  #address(href: string): string | undefined {
    if (/^([a-z][a-z\d+.-]*:|\/)/i.test(href)) return undefined;
    const [, path = "", anchor = ""] = /^([^#]*)(.*)$/s.exec(href) ?? [];
    // Jupyter keeps capitals in a heading's id, the site does not.
    if (path === "") return escapeHtml(href.toLowerCase());
    const linked = posix.join(posix.dirname(this.file), decodeURI(path));
    this.links.add(linked);
    return escapeHtml(pathFrom(placeOf(this.file), placeOf(linked)) + anchor);
  }

  override link({ href, tokens }: Tokens.Link): string {
    const [words, address] = [this.parser.parseInline(tokens), this.#address(href)];
    return address === undefined ? words : `<a href="${address}">${words}</a>`;
  }

  override image({ href, text }: Pick<Tokens.Image, "href" | "text">): string {
    return picture(this.#address(href) ?? "data:,", text);
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return text.replaceAll(/<!--[^]*?-->/g, "").replaceAll(/<img [^>]*>|[^<]+|</g, (part) => {
      const [, href] = /^<img .*?src="(.*?)"/s.exec(part) ?? [];
      const [, alt = ""] = /alt="(.*?)"/s.exec(part) ?? [];
      return href === undefined ? escapeHtml(part) : this.image({ href, text: alt });
    });
  }

  /** Wraps a table in a scrolling box. */
  override table(token: Tokens.Table): string {
    const markup = super.table(token).replaceAll(/<th([^>]*)><\/th>/g, "<td$1></td>");
    return `<div class="scroll" role="group" aria-label="Table" tabindex="0">${markup}</div>`;
  }

  /** Renders a heading with the id that GitHub gives it. */
  override heading({ depth, tokens, text }: Tokens.Heading): string {
    const markup = this.parser.parseInline(tokens);
    if (depth === 1 && this.title === "") {
      this.title = markup.replaceAll(/<[^>]*>/g, "");
      return "";
    }
    const words = text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, "").replaceAll(" ", "-");
    const before = this.#ids.get(words) ?? 0;
    this.#ids.set(words, before + 1);
    const id = before === 0 ? words : `${words}-${before}`;
    return `<h${depth} id="${id}">${markup}</h${depth}>\n`;
  }
}

const picture = (source: string, words: string) =>
  `<img src="${source}" alt="${escapeHtml(words)}" loading="lazy">`;

/**
 * Renders a Markdown file or a notebook, with code and outputs, as HTML.
 * @throws {SyntaxError} naming a notebook that cannot be read or has a failed cell.
 */
export function filePage(file: string, text: string) {
  const renderer = new PageRenderer(file);
  const body = file.endsWith(".ipynb")
    ? cellsMarkup(renderer, text).join("\n")
    : renderer.markup(text);
  const { title, links } = renderer;
  return { title, body, links };
}

function cellsMarkup(renderer: PageRenderer, json: string): readonly string[] {
  return shownCells(json, renderer.file).flatMap(({ cell_type, source, outputs }) => {
    if (cell_type === "markdown") return renderer.markup(source);
    const shown = outputs.map(
      ({ "image/png": png, "text/markdown": markdown, "text/plain": plain = "" }) => {
        if (png) return picture(`data:image/png;base64,${png.trim()}`, plain);
        if (markdown) return renderer.markup(markdown);
        return `<pre class="output">${escapeHtml(plain)}</pre>`;
      },
    );
    return [`<pre><code>${escapeHtml(source)}</code></pre>`, ...shown];
  });
}

const SITE = command(
  "site",
  "Builds docs/site anew: open index.html from disk, or copy the folder to any static host",
  (c) => c,
  async () => {
    const files = await siteFiles();
    writeSite(files, join(ROOT, "docs", "site"));
    console.log(`docs/site: ${files.size} files. Open docs/site/index.html in a browser.`);
    return EXIT.done;
  },
);

if (import.meta.main) await run(SITE);
