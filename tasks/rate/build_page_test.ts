import assert from "node:assert/strict";
import fc from "fast-check";
import { join } from "node:path";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { TRANSLATION_PATHS } from "../../lib/translation/tables.ts";
import {
  assemblePage,
  buildPage,
  bundleScript,
  forBrowsers,
  type PageParts,
} from "./build_page.ts";

const pageOf = (given: Partial<PageParts> = {}) => {
  const [style, script] = ["body { margin: 0 }", "mount();"];
  const config = '{"da_max":9}';
  return assemblePage({ style, script, config, language: "en", embedded: undefined, ...given });
};

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toBase64();
}

Deno.test("assemblePage() lets run the inlined script and style, by hash, and asks for nothing else", async () => {
  const { html, policy } = await pageOf();
  assert.equal(
    policy,
    `default-src 'none'; script-src 'sha256-${await sha256("mount();")}'; ` +
      `style-src 'sha256-${await sha256("body { margin: 0 }")}'; img-src data:; ` +
      "connect-src 'none'; form-action 'none'; base-uri 'none'",
  );
  assert.ok(html.includes(`content="${policy}"`));
  assert.doesNotMatch(html, /\ssrc=|rel="stylesheet"|<iframe|<img|@import|https?:/);
});

Deno.test("assemblePage(): same parts, same bytes; config and demo come out as they went in", async () => {
  await fc.assert(fc.asyncProperty(fc.string(), fc.uint8Array(), async (text, bytes) => {
    const config = JSON.stringify({ label: `${text}</script><!-- <script>` });
    const embedded = { name: 'a"b.xlsx', bytes, sentences: 3, isDemo: false };
    const { html } = await pageOf({ config, embedded });
    assert.equal(html, (await pageOf({ config, embedded })).html);
    const inlined = (id: string) => new RegExp(`id="${id}"[^>]*>([^<]*)</script>`).exec(html)![1]!;
    assert.deepEqual(JSON.parse(inlined("run-config")), JSON.parse(config));
    assert.deepEqual(Uint8Array.fromBase64(inlined("own-workbook")), bytes);
    assert.ok(html.includes('data-name="a&quot;b.xlsx" data-sentences="3"'));
  }));
});

Deno.test("assemblePage(): a script that speaks of script elements does not end its own, nor a style", async () => {
  const { html } = await pageOf({ script: "const markup = `<!-- </script> $& $1 -->`;" });
  const inlined = /<script type="module">([^]*?)<\/script>/.exec(html)![1]!;
  assert.equal(Function(`${inlined} return markup;`)(), "<!-- </script> $& $1 -->");
  const style = () => pageOf({ style: "a::after { content: '</style>' }" });
  assert.throws(style, /^Error: Cannot inline the style: it contains <\/style\.$/);
});

Deno.test("forBrowsers() refuses a bundle that needs Deno or a module of Node", () => {
  const harmless = 'typeof Deno=="object"&&Deno&&typeof Deno.version=="object";mount();';
  assert.equal(forBrowsers(harmless), harmless);
  for (const foreign of ["Deno.readFile", '"node:fs"']) {
    assert.throws(() => forBrowsers(`a(${foreign});`), new RegExp(`it contains ${foreign}, which`));
  }
});

Deno.test("buildPage() refuses a workbook of another configuration, and a file that is none, with the reason", () =>
  inFolder(async (folder) => {
    const [config, text] = [join(folder, "run.yaml"), join(folder, "notes.xlsx")];
    Deno.writeTextFileSync(config, "num_translations: 3");
    Deno.writeTextFileSync(text, "no workbook");
    const workbook = TRANSLATION_PATHS.demoWorkbook;
    const other =
      /^Error: Cannot build the page: .*xlsx does not open under .*run\.yaml: This file has 12 translations a sentence, this page is for 3/;
    await assert.rejects(buildPage({ config, workbook }), other);
    await assert.rejects(
      buildPage({ config, workbook: text }),
      /notes\.xlsx does not open under .*: Cannot open the file/,
    );
    const labels = "buckets: [{ key: best, label: A }, { key: poor, label: B }]";
    Deno.writeTextFileSync(config, labels);
    await assert.rejects(buildPage({ config, workbook }), /made under another run configuration/);
  }));

Deno.test("bundleScript() needs nothing that set-up has not fetched: esbuild's version is exact, its binaries in the lock file", async () => {
  const root = join(import.meta.dirname!, "..", "..");
  const [project, lock] = await Promise.all(["deno.json", "deno.lock"]
    .map(async (file) => JSON.parse(await Deno.readTextFile(join(root, file)))));
  const version = /^npm:esbuild@(\d+\.\d+\.\d+)$/.exec(project.imports.esbuild)![1]!;
  for (const platform of ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64", "win32-x64"]) {
    assert.match(lock.npm[`@esbuild/${platform}@${version}`].integrity, /^sha512-/);
  }
  assert.match(await bundleScript("pairs/main.ts"), /\S/);
});
