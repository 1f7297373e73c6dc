import assert from "node:assert/strict";
import { dirname, join } from "node:path/posix";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { type BrowsedPair, folded, matchesFilter } from "../app/pairs/filter.ts";
import { NORSE_PATHS } from "../lib/studies/norse/study.ts";
import { statisticsTable } from "../lib/pairs/clustered.ts";
import { SANSKRIT_PATHS } from "../lib/studies/sanskrit/study.ts";
import { assertAccessible, browserPath, inChromium } from "./page/browser.ts";
import { filePage, opening, REPORT, siteFiles, writeSite } from "./site.ts";
import { collectPairs } from "./site/pairs.ts";

Deno.test("filePage() lets no HTML through, and links lead to pages of the site or nowhere", () => {
  const { title, body, links } = filePage(
    "docs/a.md",
    `# The \`title\`\n\n## One & two\n\n## One & two\n\n<script>alert(1)</script>\n\n<!-- hidden -->
<img src="../figures/x.png" alt="an x" onerror="alert(1)">\n
[tour](../notebooks/00_tour.ipynb) [results](../RESULTS.md#findings) [below](#one--two-1)
[away](//a.invalid) [run](javascript:alert) <b>bold</b>\n\n||n|\n|-|-|\n|a|<i>|\n`,
  );
  assert.equal(title, "The title");
  assert.deepEqual([...links], ["figures/x.png", "notebooks/00_tour.ipynb", "RESULTS.md"]);
  const parts = [
    '<h2 id="one--two">One &amp; two</h2>\n<h2 id="one--two-1">',
    '&lt;script&gt;alert(1)&lt;/script&gt;\n<img src="../figures/x.png" alt="an x" loading="lazy">',
    '<a href="../notebooks/00_tour.html">tour</a> <a href="../index.html#findings">results</a>',
    '<a href="#one--two-1">below</a>\naway run &lt;b&gt;bold&lt;/b&gt;',
    "<td></td>\n<th>n</th>",
    "<td>&lt;i&gt;</td>",
  ];
  for (const part of parts) assert.ok(body.includes(part), `${part} in ${body}`);
  assert.doesNotMatch(body, /hidden|onerror|<script|invalid|javascript:/);
});

Deno.test("filePage() shows a notebook's text, code, and of an output what says most; no other file", () => {
  const outputs = [
    { output_type: "stream", text: ["1 <\n", "2"] },
    { data: { "image/png": "iVBORw==\n", "text/plain": "A figure" } },
    { data: { "text/markdown": ["| n |\n", "| - |\n", "| 3 |"], "text/plain": "no" } },
  ];
  const text = { cell_type: "markdown", source: ["# 01 · A\n", "**Question.** Why?"] };
  const pageOf = (...outputs: readonly object[]) => {
    const cells = [text, { cell_type: "code", source: "a < b", outputs }];
    return filePage("notebooks/a.ipynb", JSON.stringify({ cells }));
  };
  assert.equal(pageOf(...outputs).title, "01 · A");
  const order = /Why\?.*<code>a &lt; b<.*>1 &lt;\n2<.*64,iVBORw==" alt="A figure".*<td>3<\/td>/s;
  assert.match(pageOf(...outputs).body, order);
  const refusal = /^SyntaxError: Cannot read notebook notebooks\/a\.ipynb: .*outputs/s;
  assert.throws(() => pageOf({ output_type: "error" }), refusal);
});

Deno.test("opening() is README's lead and the sections up to the mark, which must be there", () => {
  const mark = "<!-- the site's first page ends here -->";
  const readme = `# T\n\nLead.\n\n## One\n\nA.\n\n## Two\n\n${mark}\n\n## Rest\n`;
  const doors = "## One\n\nA.\n\n## Two\n\n";
  assert.deepEqual(opening(readme), ["# T\n\nLead.\n\n", doors]);
  assert.throws(() => opening("# T\n"), /README\.md has no line .*Write it below the doors/);
});

Deno.test("matchesFilter(): a field left empty asks for nothing; model, measure and outcome are of one score", () => {
  const pair: BrowsedPair = {
    set: "one",
    phenomenon: "u-umlaut",
    lemma: "hǫnd",
    marks: ["m"],
    readers: "none",
    scores: { small: { choice: "= 1 of 2", total: "✓ +1.00" }, large: { total: "✗ −2.00" } },
    html: '<h2 id="x">ON_1</h2><p>Þá tók hann <mark>hǫndum</mark>.</p>',
  };
  const asked = (filter: Record<string, string>) => matchesFilter(pair, filter);
  assert.ok(asked({}) && asked({ set: "", search: "", lemma: "hond", mark: "m" }));
  assert.ok(asked({ model: "small", measure: "total", outcome: "right" }));
  assert.ok(asked({ outcome: "neither" }) && asked({ measure: "total", outcome: "wrong" }));
  assert.ok(!asked({ model: "small", outcome: "wrong" }) && !asked({ measure: "per byte" }));
  assert.ok(asked({ search: "hann hondum." }) && asked({ search: " on_1 " }));
  assert.ok(!asked({ search: "mark" }) && !asked({ lemma: "ǫnd" }) && !asked({ mark: "other" }));
  assert.notEqual(folded("कृपया"), folded("कृपयै"), "vowel signs of Devanagari are no accents");
});

Deno.test("collectPairs(): the scores of the cards are those of statistics.csv", () => {
  const { pairs } = collectPairs();
  const tables = { "Old Norse": NORSE_PATHS.statistics, "Sanskrit": SANSKRIT_PATHS.statistics };
  const compared = Object.entries(tables).flatMap(([set, path]) =>
    statisticsTable({ path }).read().flatMap(({ model, measure, phenomenon, value }) => {
      const by = /^likelihood_accuracy_(.*)$/.exec(measure)?.[1]?.replaceAll("_", " ") ?? "";
      const own = pairs.filter((pair) => pair.set === set && pair.scores[model]?.[by]);
      if (phenomenon !== "ALL" || value.kind === "unavailable" || own.length === 0) return [];
      const right = own.filter(({ scores }) => scores[model]![by]![0] === "✓").length;
      return [[(right / own.length).toFixed(6), value.estimate.toFixed(6), `${model} ${by}`]];
    })
  );
  for (const [share, estimate, words] of compared) assert.equal(share, estimate, words);
  assert.ok(compared.length >= 10);
});

async function tryFilters(page: Page, pairs: readonly BrowsedPair[]): Promise<void> {
  const finds = async (filter: Record<string, string>, from = 1) => {
    const found = pairs.filter((pair) => matchesFilter(pair, filter)).length;
    const to = Math.min(from + 19, found);
    const words = `Pairs ${from}–${to} of ${found.toLocaleString("en-GB")}`;
    assert.equal(await page.innerText("#status"), words);
    assert.equal(await page.locator("article").count(), to - from + 1);
  };
  await finds({});
  await page.locator("#next").press("Enter");
  await finds({}, 21);
  await page.selectOption("[name=set]", "Sanskrit");
  await finds({ set: "Sanskrit" });
  await page.selectOption("[name=readers]", "had a doubt");
  await page.selectOption("[name=measure]", "total");
  await page.selectOption("[name=outcome]", "wrong");
  const filter = { set: "Sanskrit", readers: "had a doubt", measure: "total", outcome: "wrong" };
  await finds(filter);
  // The address says what is asked for: who opens it anew finds the same.
  await page.reload();
  await finds(filter);
  await page.getByRole("button", { name: "All pairs" }).press("Enter");
  const [, id = ""] = /id="(\w+)"/.exec(pairs[400]!.html) ?? [];
  await page.fill("[name=search]", ` ${id.toLowerCase()}`);
  await finds({ search: id });
  const words = await page.locator(`[aria-labelledby=${id}] [lang=non] mark`).allInnerTexts();
  assert.ok(words.length === 2 && words[0] !== words[1], words.join());
  await page.locator("summary").first().press("Enter");
  assert.ok(await page.locator("article li").first().isVisible());
  await page.fill("[name=search]", "no such pair");
  assert.equal(await page.innerText("#status"), "No pair is like that.");
}

/**
 * Asserts that every link leads to an existing page and anchor. Reports and the rating page are not
 * followed.
 */
function assertLinked(files: ReadonlyMap<string, string | Uint8Array>): void {
  for (const [place, html] of files) {
    if (typeof html !== "string" || /^(data\/factuality|rate)/.test(place)) continue;
    for (const [, to, anchor = ""] of html.matchAll(/(?:href|src)="(?!data:)([^"#]*)#?([^"]*)"/g)) {
      const target = to === "" ? place : join(dirname(place), to!);
      assert.ok(files.has(target), `${place} leads to ${target}`);
      const hasPlace = `${files.get(target)}`.includes(anchor && `id="${decodeURI(anchor)}"`);
      assert.ok(hasPlace, `${place} leads to ${target}#${anchor}`);
    }
  }
}

Deno.test({
  name: "site: from disk, every link leads somewhere, nothing leaves, axe-core finds nothing",
  ignore: browserPath() === undefined && Deno.env.get("CI") !== "true",
  async fn() {
    const files = await siteFiles();
    assertLinked(files);
    const first = `${files.get("index.html")}`;
    const [, json = "{}"] =
      /<script type="application\/ld\+json">(.*?)<\/script>\n?<\/head>/s.exec(first) ?? [];
    const { "@type": type, name, creator, datePublished, license } = JSON.parse(json);
    assert.equal(type, "Dataset");
    assert.ok(name && creator[0].name && datePublished && license);
    // Three doors: a heading, a command, what it prints and a picture each.
    const doors = first.split("<main>")[1]!.split(/<h2 /).slice(1, 4);
    for (const door of doors) assert.match(door, /<pre>.*deno task .*<pre>.*<img /s);
    const folder = await Deno.makeTempDir({ prefix: "site " });
    writeSite(files, folder);
    await inChromium(async (browser) => {
      const context = await browser.newContext();
      const said: string[] = [];
      context.on("console", (message) => said.push(message.text()));
      context.on("weberror", (error) => said.push(error.error().message));
      context.on("request", (request) => {
        const [address, own] = [request.url(), pathToFileURL(folder).href];
        if (!/^(blob|data):/.test(address) && !address.startsWith(own)) said.push(address);
      });
      const accessibleByOtherTests = ["rate", REPORT.slice(0, -5)];
      for (const kind of ["index", "pairs", "notebooks/00_tour", ...accessibleByOtherTests]) {
        const address = pathToFileURL(join(folder, `${kind}.html`)).href;
        const page = await context.newPage();
        await page.goto(address);
        if (kind === "pairs") await tryFilters(page, collectPairs().pairs);
        // A picture that is not there, or that the policy keeps out, cannot be decoded.
        await page.evaluate(
          "Promise.all([...document.images].map((i) => (i.loading = 'eager', i.decode())))",
        );
        if (accessibleByOtherTests.includes(kind)) continue;
        const looked = await browser.newPage({ bypassCSP: true });
        await looked.goto(address);
        await assertAccessible(looked);
      }
      assert.deepEqual(said, []);
    });
    await Deno.remove(folder, { recursive: true });
  },
});
