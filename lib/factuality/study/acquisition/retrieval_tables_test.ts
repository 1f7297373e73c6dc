import assert from "node:assert/strict";
import { type Retriever, sourcePassage } from "../../retrieval/passage.ts";
import { sectionTable } from "./knowledge_tables.ts";
import { foundTable } from "./retrieval_tables.ts";

const RETRIEVER: Retriever = {
  name: "made",
  settings: {},
  retrieve: (claim) =>
    Promise.resolve(
      claim === "Nothing." ? [] : [{
        passage: { ...sourcePassage("x".repeat(91)), title: "T" },
        bm25: 2,
        cosine: 0.5,
        rank: 1,
      }],
    ),
};

Deno.test("foundTable() cuts long passages and says where nothing was found", async () => {
  const [, , found, nothing] = (await foundTable(RETRIEVER, ["A.", "Nothing."])).split("\n");
  assert.equal(found, `| A. | 1 | **T**: ${"x".repeat(90)} … | 2.0 | 0.50 |`);
  assert.equal(nothing, "| Nothing. | – | nothing over the thresholds |  |  |");
});

Deno.test("sectionTable() counts fields, statements and countries", () => {
  const field = { code: "a", region: "r", section: "S", subfield: "", text: "t" };
  const table = sectionTable([
    { ...field, country: "A", field: "F" },
    { ...field, country: "B", field: "F" },
    { ...field, country: "B", field: "G" },
  ]);
  assert.equal(table.split("\n")[2], "| S | 2 | 3 | 2 |");
});
