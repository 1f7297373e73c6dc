import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { VERIFIER_SOURCES } from "../lib/factuality/own/training/tables.ts";
import { shownCells } from "./notebook/nbformat.ts";

const ROOT = join(import.meta.dirname!, "..");
const read = (path: string) => Deno.readTextFileSync(join(ROOT, path));

/** Markdown of a page, or of a notebook's cells and outputs. */
function markdown(path: string): string {
  if (!path.endsWith(".ipynb")) return read(path);
  return shownCells(read(path), path).flatMap(({ cell_type, source, outputs }) => [
    cell_type === "markdown" ? source : "",
    ...outputs.map((output) => output["text/markdown"] ?? ""),
  ]).join("\n\n");
}

/** Headings' anchors as GitHub makes them, and as Jupyter does, which keeps capitals. */
const anchors = (path: string) =>
  new Set(
    [...markdown(path).matchAll(/^#+ +(.+)$/gm)].flatMap(([, heading]) => {
      const words = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
      const github = words.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
      return [github.trim().replace(/\s/g, "-"), words.trim().replace(/\s/g, "-")];
    }),
  );

Deno.test("every relative link of the documents and notebooks leads to a file, and to a heading of it", () => {
  const pages = ["*.md", "docs/*.md", "data/*.md", "lib/**/README.md", "notebooks/*.ipynb"]
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .filter((path) => !path.includes("node_modules"));
  const dead: string[] = [];
  for (const page of pages) {
    const text = markdown(page).replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
    const targets = [
      ...text.matchAll(/\]\(([^)\s]+)\)/g),
      ...text.matchAll(/<(?:img|a)\s[^>]*(?:src|href)="([^"]+)"/g),
    ].map(([, target]) => target!);
    for (const target of targets) {
      if (/^(?:[a-z]+:|data:)/.test(target)) continue;
      const [file = "", anchor] = target.split("#");
      const path = file === "" ? page : normalize(join(dirname(page), decodeURI(file)));
      const there = existsSync(join(ROOT, path));
      const headed = anchor === undefined || /^L\d+/.test(anchor) ||
        (/\.(?:md|ipynb)$/.test(path) && there && anchors(path).has(decodeURI(anchor)));
      if (!there || !headed) dead.push(`${page}: ${target}`);
    }
  }
  assert.ok(pages.length > 30, `only ${pages.length} pages were found`);
  assert.deepEqual(dead, []);
});

Deno.test("docs/fact_checking.md has the figures of its files", () => {
  const page = read("docs/fact_checking.md").replace(/\s+/g, " ");
  const percent = (part: number, whole: number) => String(Math.round((100 * part) / whole));
  const rows = VERIFIER_SOURCES.read();
  const row = (source: string, label: string) =>
    rows.find((one) => one.source === source && one.label === label)!;
  const accepted = (source: string, label: string) => {
    const { supported, n } = row(source, label);
    return percent(supported, n);
  };
  const sources = ["evidence alone", "evidence among 300 words", "evidence among 1500 words"];
  const [alone, some, many] = sources.map((source) => accepted(source, "refuted"));
  const [first, second, third] = sources.map((source) => accepted(source, "supported"));
  const silent = row("silent on the claim", "not enough info");
  const { entries } = JSON.parse(read("data/factuality/judge_calibration.json"));
  const { measured: judge } = entries.find(({ id, prompt }: { id: string; prompt: string }) =>
    id.startsWith("Qwen") && prompt === "support"
  );
  const { measured } = JSON.parse(read("data/factuality/large_verifier.json"));
  const two = (value: number) => value.toFixed(2);
  const [pairs, models] = measured;
  const figures = [
    `of refuted claims of the development set ${alone} % passed when shown with their evidence alone, ` +
    `${some} % when it stood among 300 words of other texts, ${many} % among 1,500 (of supported ` +
    `ones ${first}, ${second} and ${third} % were accepted)`,
    `of ${silent.n} claims shown with texts that are silent on them, ` +
    `${percent(silent.refuted, silent.n)} % were called refuted and ` +
    `${percent(silent.supported, silent.n)} % supported`,
    `(balanced accuracy ${two(judge.balancedAccuracy)}, 95 % ${two(judge.low)} to ` +
    `${two(judge.high)}, on ${judge.n} claims about development countries`,
    `On ${pairs.n} pairs of nli_development it reaches a balanced accuracy of ` +
    `${two(pairs.balancedAccuracy)} (95 % ${two(pairs.low)} to ${
      two(pairs.high)
    }), area under the ` +
    `curve ${two(pairs.areaUnderCurve)}`,
    `on ${models.n} claims of models with what was looked up for them ` +
    `${two(models.balancedAccuracy)} (${two(models.low)} to ${two(models.high)}), area ` +
    two(models.areaUnderCurve),
  ];
  assert.deepEqual(figures.filter((figure) => !page.includes(figure)), [], "write these instead");
});

Deno.test("README's figures with intervals are in RESULTS.md, which the notebooks write", () => {
  const cited = read("README.md").match(/-?\d+(?:\.\d+)? \[[^\]]*\]/g) ?? [];
  const results = read("RESULTS.md");
  assert.ok(cited.length >= 8);
  assert.deepEqual(cited.filter((figure) => !results.includes(figure)), []);
});
