import assert from "node:assert/strict";
import { join } from "node:path";
import { IntlMessageFormat } from "intl-messageformat";
import de from "./page_texts/de.json" with { type: "json" };
import en from "./page_texts/en.json" with { type: "json" };
import { isolateText, textsOf } from "./page_texts.ts";

const ROOT = join(import.meta.dirname!, "..", "..");

function sources(folder: string): string {
  return [...Deno.readDirSync(join(ROOT, folder))].map(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (isDirectory) return sources(path);
    return /(?<!_test)\.tsx?$/.test(name) ? Deno.readTextFileSync(join(ROOT, path)) : "";
  }).join("\n");
}

Deno.test("texts: every language says the same things with the same values, and all of them are used", () => {
  const valuesIn = (text: string) => {
    // Of arguments, selects and plurals; the literal parts have their text for a value.
    const parts = JSON.stringify(new IntlMessageFormat(text, "en").getAst());
    return [
      ...new Set([...parts.matchAll(/"type":[1-6],"value":"(\w+)"/g)].map(([, name]) => name)),
    ]
      .sort();
  };
  assert.deepEqual(valuesIn("{n, plural, one {a} other {# {b}}}"), ["b", "n"]);
  const used = sources("app") + sources("lib/translation");
  assert.deepEqual(Object.keys(de), Object.keys(en));
  for (const [key, text] of Object.entries(en)) {
    assert.deepEqual(valuesIn(de[key as keyof typeof de]), valuesIn(text), key);
    // Kinds of violations and states of sentences are keys as they are.
    const isUsed = used.includes(`"${key}"`) || /^state\.|Between$|Title$/.test(key);
    assert.ok(isUsed, `${key} is said nowhere`);
  }
});

Deno.test("texts: what runs from the right is shut off within a message, nothing else is changed", () => {
  const said = (bucket: string) => textsOf({ language: "en" })("rowBucket", { row: 1, bucket });
  assert.equal(said("ممتاز"), "Row 1, \u2068ممتاز\u2069");
  assert.equal(said("Best"), "Row 1, Best");
  // Begins in Latin script, in a language that does not.
  assert.equal(isolateText("Linux نظام", "rtl"), "\u2067Linux نظام\u2069");
});
