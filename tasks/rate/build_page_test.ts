import assert from "node:assert/strict";
import fc from "fast-check";
import { assemblePage, forBrowsers, type PageParts } from "./build_page.ts";

function parts(given: Partial<PageParts> = {}): PageParts {
  return {
    style: "body { margin: 0 }",
    script: "mount();",
    config: '{"num_translations":3}',
    demo: undefined,
    ...given,
  };
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toBase64();
}

Deno.test("assemblePage() lets run the inlined script and style, by hash, and nothing else", async () => {
  const { html, policy } = await assemblePage(parts());
  assert.equal(
    policy,
    `default-src 'none'; script-src 'sha256-${await sha256("mount();")}'; ` +
      `style-src 'sha256-${await sha256("body { margin: 0 }")}'; img-src data:; ` +
      "connect-src 'none'; form-action 'none'; base-uri 'none'",
  );
  assert.ok(html.includes(`content="${policy}"`));
});

Deno.test("assemblePage() asks for nothing: no address, no element that loads one", async () => {
  const { html } = await assemblePage(parts());
  assert.doesNotMatch(html, /\ssrc=|rel="stylesheet"|<iframe|<img|@import|https?:/);
});

Deno.test("assemblePage(): same parts, same bytes; config and demo come out as they went in", async () => {
  const demo = fc.uint8Array();
  await fc.assert(fc.asyncProperty(fc.string(), demo, async (text, bytes) => {
    const config = JSON.stringify({ label: `${text}</script><!-- <script>` });
    const page = await assemblePage(parts({ config, demo: bytes }));
    assert.equal(page.html, (await assemblePage(parts({ config, demo: bytes }))).html);
    const inlined = /id="run-config">([^<]*)<\/script>/.exec(page.html)![1]!;
    assert.deepEqual(JSON.parse(inlined), JSON.parse(config));
    const encoded = /id="demo-workbook">([^<]*)<\/script>/.exec(page.html)![1]!;
    assert.deepEqual(Uint8Array.fromBase64(encoded), bytes);
  }));
});

Deno.test("assemblePage(): a script that speaks of script elements does not end its own", async () => {
  const script = "const markup = `<!-- </script> $& $1 -->`;";
  const { html } = await assemblePage(parts({ script }));
  const inlined = /<script type="module">([^]*?)<\/script>/.exec(html)![1]!;
  assert.equal(inlined, "const markup = `\\x3c!-- \\x3c/script> $& $1 -->`;");
  assert.equal(Function(`${inlined} return markup;`)(), "<!-- </script> $& $1 -->");
});

Deno.test("assemblePage() refuses a style that ends early", async () => {
  await assert.rejects(assemblePage(parts({ style: "a::after { content: '</style>' }" })), {
    message: "Cannot inline the style: it contains </style.",
  });
});

Deno.test("forBrowsers() refuses a bundle that needs Deno or a module of Node", () => {
  const harmless = 'typeof Deno=="object"&&Deno&&typeof Deno.version=="object";mount();';
  assert.equal(forBrowsers(harmless), harmless);
  assert.throws(() => forBrowsers('a();Deno.readFile("x");'), {
    message: "Cannot use the bundle: it contains Deno.readFile, which no browser has.",
  });
  assert.throws(() => forBrowsers('import "node:fs";'), {
    message: 'Cannot use the bundle: it contains "node:fs", which no browser has.',
  });
});
