/** Markdown and notebooks of the repository as pages that fetch nothing, their links resolved. */
import { dirname, join, relative } from "node:path/posix";
import { marked, Renderer, type Tokens } from "marked";
import { escaped, page, PAGE_STYLE } from "../../lib/files/page.ts";
import { shownCells } from "../notebook/nbformat.ts";

const STYLE = PAGE_STYLE + Deno.readTextFileSync(new URL("./site.css", import.meta.url));

export const REPORT = "data/factuality/example_report.html";

/** What every page leads to. */
const ROOMS: Readonly<Record<string, string>> = {
  "index.html": "Touchstone",
  "pairs.html": "Pairs",
  "rate.html": "Rating page",
  [REPORT]: "A factuality report",
  "index.html#notebooks": "Notebooks",
  "index.html#manuals": "Manuals",
};

/** Where a file of the repository stands on the site; README and RESULTS together are its first page. */
export const placeOf = (file: string) =>
  file.replace(/^(README|RESULTS)\.md$/, "index.html").replace(/\.(md|ipynb)$/, ".html");

/** The way from one place of the site to another. */
const pathFrom = (place: string, to: string) => relative(dirname(place), to);

/** The way to every room. */
export function navigation(place: string): string {
  const links = Object.entries(ROOMS).map(([room, name]) =>
    `<a href="${pathFrom(place, room)}"${room === place ? ' aria-current="page"' : ""}>${name}</a>`
  );
  return `<nav class="rooms legend" aria-label="Site">${links.join(" ")}</nav>`;
}

/** The ways to the files before and after one; nothing where there is neither. */
export function neighbourLinks(
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
  & Partial<Record<"lead" | "script" | "allowed", string>>;

/** A page of markup, under a policy that lets it show the site's pictures, run what is `allowed`, and fetch nothing. */
export function sitePage({ place, title, main, lead = "", script = "", allowed = "" }: Parts) {
  return page({
    title,
    main,
    script,
    style: STYLE,
    footer: "",
    header: `${navigation(place)}\n${lead}`,
    // To a page that was opened from disk the files beside it are not always `self`.
    allowed: `img-src 'self' file: data:; ${allowed}`,
  });
}

/** Lets no HTML through but pictures; links lead to the site or nowhere. */
class PageRenderer extends Renderer {
  /** The first heading, which is left out of the markup. */
  title = "";
  /** The files that are linked to or shown. */
  readonly links = new Set<string>();
  readonly #ids = new Map<string, number>();

  constructor(readonly file: string) {
    super();
  }

  markup(text: string): string {
    return marked.parse(text, { renderer: this, async: false });
  }

  /** The address of a link; nothing where it leads off the site. */
  #address(href: string): string | undefined {
    if (/^([a-z][a-z\d+.-]*:|\/)/i.test(href)) return undefined;
    const [, path = "", anchor = ""] = /^([^#]*)(.*)$/s.exec(href) ?? [];
    // Jupyter keeps capitals in a heading's id, the site does not.
    if (path === "") return escaped(href.toLowerCase());
    const linked = join(dirname(this.file), decodeURI(path));
    this.links.add(linked);
    return escaped(pathFrom(placeOf(this.file), placeOf(linked)) + anchor);
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
      return href === undefined ? escaped(part) : this.image({ href, text: alt });
    });
  }

  /** In a box that scrolls by itself. */
  override table(token: Tokens.Table): string {
    const markup = super.table(token).replaceAll(/<th([^>]*)><\/th>/g, "<td$1></td>");
    return `<div class="scroll" role="group" aria-label="Table" tabindex="0">${markup}</div>`;
  }

  /** With the id by which it is linked to on GitHub. */
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
  `<img src="${source}" alt="${escaped(words)}" loading="lazy">`;

/**
 * A Markdown file, or a notebook with its code and what that gave, as the markup of a page.
 * @throws {SyntaxError} naming a notebook that cannot be read, or one of whose cells failed.
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
        return `<pre class="output">${escaped(plain)}</pre>`;
      },
    );
    return [`<pre><code>${escaped(source)}</code></pre>`, ...shown];
  });
}
