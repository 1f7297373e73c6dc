/**
 * The site: findings, pair browser, rating page, a factuality report, notebooks and manuals as files that a
 * browser opens from disk and any static host serves; of committed files alone, the same bytes for the same.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashOf, list } from "../lib/files/page.ts";
import { command, EXIT, run } from "./command.ts";
import { buildPage, bundleScript, inlineScript } from "./rate/build_page.ts";
import { filePage, navigation, neighbourLinks, placeOf, REPORT, sitePage } from "./site/pages.ts";
import { browserMarkup, collectPairs } from "./site/pairs.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The site's files by their places on it. @throws {Error} naming a link that leads nowhere, and its page. */
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
    const beside = { "← Previous": all[index - 1], "Next →": all[index + 1] };
    const main = body + neighbourLinks(place, beside);
    files.set(place, sitePage({ place, title, main }));
    return `<a href="${place}">${title}</a>`;
  };
  const inOrder = (folder: string, ending: string) =>
    [...Deno.readDirSync(join(ROOT, folder))].map(({ name }) => `${folder}/${name}`)
      .filter((file) => file.endsWith(ending)).sort();
  const { title, body: lead } = render("README.md", textOf("README.md").split(/^## /m)[0]);
  const main = `${render("RESULTS.md").body}
<h2 id="notebooks">Notebooks</h2>${list(inOrder("notebooks", ".ipynb").map(put))}
<h2 id="manuals">Manuals</h2>${list(inOrder("docs", ".md").map((file) => put(file)))}`;
  files.set("index.html", sitePage({ place: "index.html", title, lead, main }));
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

const textOf = (file: string) => Deno.readTextFileSync(join(ROOT, file));

async function pairsPage(): Promise<string> {
  const collection = collectPairs();
  const script = inlineScript(await bundleScript("pairs/main.ts"));
  const data = JSON.stringify(collection).replaceAll(/<(?=!--|\/?script)/gi, "\\u003c");
  return sitePage({
    place: "pairs.html",
    title: "Pairs",
    main: browserMarkup(collection),
    allowed: `script-src '${hashOf(script)}'`,
    script: `<script type="application/json" id="collection">${data}</script>
<script type="module">${script}</script>`,
    lead:
      `<p>Each with its certificate and what models made of it: in how many of two orders they chose
the grammatical member, and by how many nats they find it the more probable. No human expert has read them.
<a href="docs/site.html">What signs and measures mean</a></p>`,
  });
}

/** Writes the files into a folder, in the place of what is there. */
export function writeSite(files: ReadonlyMap<string, string | Uint8Array>, folder: string): void {
  if (existsSync(folder)) Deno.removeSync(folder, { recursive: true });
  for (const [place, content] of files) {
    const path = join(folder, place);
    Deno.mkdirSync(dirname(path), { recursive: true });
    if (typeof content === "string") Deno.writeTextFileSync(path, content);
    else Deno.writeFileSync(path, content);
  }
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
