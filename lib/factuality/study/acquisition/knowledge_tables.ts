import { markdownTable } from "../../../figures/markdown_table.ts";
import type { FactbookField } from "../../retrieval/factbook_fields.ts";
import type { Passage } from "../../retrieval/passage.ts";

/** What the knowledge base holds, section by section, in the book's own order. */
export function sectionTable(fields: readonly FactbookField[]): string {
  const sections = [...Map.groupBy(fields, ({ section }) => section)];
  return markdownTable(
    ["section", "different fields", "statements", "countries and territories"],
    sections.map(([section, own]) => [
      section,
      new Set(own.map(({ field }) => field)).size,
      own.length,
      new Set(own.map(({ country }) => country)).size,
    ]),
  );
}

/** One passage as verifiers and judges are given it. */
export function passageTable({ id, collection, title, section, text }: Passage): string {
  return markdownTable(["part", "what stands there"], [
    ["id", `\`${id}\``],
    ["collection", collection],
    ["title", title],
    ["section", section],
    ["text", text],
  ]);
}
