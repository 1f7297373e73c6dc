import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
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

Deno.test("README's figures with intervals stand in RESULTS.md, which the notebooks write", () => {
  const cited = read("README.md").match(/-?\d+(?:\.\d+)? \[[^\]]*\]/g) ?? [];
  const results = read("RESULTS.md");
  assert.ok(cited.length >= 8);
  assert.deepEqual(cited.filter((figure) => !results.includes(figure)), []);
});
