import assert from "node:assert/strict";
import fc from "fast-check";
import { assemblePage, forBrowsers, type PageParts } from "./build_page.ts";

const pageOf = (given: Partial<PageParts> = {}) => {
  const [style, script] = ["body { margin: 0 }", "mount();"];
  return assemblePage({ style, script, config: '{"da_max":9}', demo: undefined, ...given });
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
  await fc.assert(fc.asyncProperty(fc.string(), fc.uint8Array(), async (text, demo) => {
    const config = JSON.stringify({ label: `${text}</script><!-- <script>` });
    const { html } = await pageOf({ config, demo });
    assert.equal(html, (await pageOf({ config, demo })).html);
    const inlined = (id: string) => new RegExp(`id="${id}">([^<]*)</script>`).exec(html)![1]!;
    assert.deepEqual(JSON.parse(inlined("run-config")), JSON.parse(config));
    assert.deepEqual(Uint8Array.fromBase64(inlined("demo-workbook")), demo);
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
