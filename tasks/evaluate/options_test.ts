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

Deno.test("parseOptions() takes a masked model in place of a panel", () => {
  const line = "--study sanskrit --onnx models/tiny --id tiny --licence MIT --limit 2";
  const { study, onnx, limit } = parseOptions(line.split(" "));
  assert.deepEqual([study, limit], ["sanskrit", 2]);
  assert.deepEqual(onnx, { id: "tiny", path: "models/tiny", licence: "MIT" });
});

Deno.test("parseOptions() says what is wrong and what is possible", () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ["--study gothic", /--study gothic is none of norse, sanskrit/],
    ["--onnx models/tiny", /--onnx needs --id, of letters.* and --licence; deno task/],
    ["--onnx models/tiny --id a/b --licence MIT", /--onnx needs --id, of letters/],
    [
      "--onnx models/tiny --id bidirectional_character --licence MIT",
      /--id bidirectional_character is the project's own masked model: .*; deno task/,
    ],
    ["--onnx models/tiny --panel local", /--onnx takes the place of a panel/],
    ["--onnx models/tiny --estimate", /--onnx takes the place of a panel/],
    ["--id tiny", /--id and --licence are of a model that --onnx names/],
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
