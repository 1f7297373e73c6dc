import assert from "node:assert/strict";
import { systemRatingsCsv } from "../analysis/ratings_csv.ts";
import type { SystemRating } from "../analysis/rated_run.ts";
import { readArchive } from "../workbook/archive.ts";
import { readSheets } from "../workbook/sheet_adapter.ts";
import { systemRatingsXlsx } from "./ratings_xlsx.ts";

const RATING: SystemRating = {
  ...{ rater: "simulated_strict", itemId: 3, segment: "news-1", document: "news" },
  ...{ role: { kind: "repeat", of: 1 }, system: "=alder", translation: 4, position: 9 },
  ...{ bucket: "good", bucketRank: 2, da: 71, startedAt: undefined },
  ...{ committedAt: "2026-11-22T09:00:00.000Z", activeSeconds: 12.5, comment: "=1+1\n@x" },
};

Deno.test("systemRatingsXlsx() has the CSV's columns, and texts as they are", async () => {
  const [sheet] = await readSheets(readArchive(await systemRatingsXlsx([RATING])));
  const [headings, row] = sheet!.rows.map(({ cells }) => cells.map(({ value }) => value));
  assert.equal(
    headings!.join(","),
    "rater,item_id,document,segment,role,role_of,system,translation,position,bucket,bucket_rank," +
      "da,started_at,committed_at,active_seconds,comment",
  );
  assert.equal(headings!.join(","), systemRatingsCsv([]).trimEnd());
  assert.deepEqual(row, [
    ...["simulated_strict", 3, "news", "news-1", "repeat", 1, "=alder", 5, 9, "good", 2, 71],
    ...["2026-11-22T09:00:00.000Z", 12.5, "=1+1\n@x"],
  ]);
});
