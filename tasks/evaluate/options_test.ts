import assert from "node:assert/strict";
import { NORSE_PATHS } from "../../lib/norse/paths.ts";
import { parseOptions } from "./options.ts";

Deno.test("parseOptions() asks the whole hosted panel in both orders unless told", () => {
  const usual = { study: "norse", panel: NORSE_PATHS.hostedPanel, orders: "both", estimate: false };
  assert.deepEqual(parseOptions([]), usual);
  assert.deepEqual(parseOptions(["--panel", "local"]), { ...usual, panel: NORSE_PATHS.panel });
  assert.deepEqual(
    parseOptions(
      "--panel mine.yaml --orders counterbalanced --models a,b/c, --limit 40 --estimate".split(" "),
    ),
    {
      study: "norse",
      panel: "mine.yaml",
      orders: "counterbalanced",
      models: ["a", "b/c"],
      limit: 40,
      estimate: true,
    },
  );
});

Deno.test("parseOptions() says what is wrong and what is possible", () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ["--study gothic", /--study gothic is none of norse/],
    ["--orders one", /--orders one is none of both, counterbalanced; deno task evaluate --help/],
    ["--limit 0", /--limit 0 is no number of pairs/],
    ["--limit many", /--limit many is no number of pairs/],
    ["--models ,", /--models names no model/],
    ["--model a", /'--model'.*--models ID,…/s],
    ["groq", /groq.*deno task evaluate/s],
  ];
  for (const [line, message] of wrong) {
    assert.throws(() => parseOptions(line.split(" ")), message, line);
  }
});
