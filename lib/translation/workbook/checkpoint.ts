import type { RatingWorkbook } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { canonicalWorkbook } from "./canonical_workbook.ts";
import { readWorkbook } from "./read_workbook.ts";
import { writeWorkbook } from "./write_workbook.ts";

/**
 * Writes a workbook, reads it back through every check and compares it with what was to be written,
 * so that a rater is never given a file that cannot be resumed from.
 *
 * Throws what {@link writeWorkbook} throws, and Error where the file does not hold the workbook.
 */
export async function checkpoint(workbook: RatingWorkbook, config: RunConfig): Promise<Uint8Array> {
  const bytes = await writeWorkbook(workbook, config);
  const result = await readWorkbook(bytes, { config, runId: workbook.runId });
  if (result.kind === "refused") {
    const reasons = result.problems.map(({ message }) => message).join(" ");
    throw new Error(`Cannot save the workbook: the file written would be refused. ${reasons}`);
  }
  const wanted = canonicalWorkbook(workbook);
  const found = canonicalWorkbook(result.workbook);
  if (JSON.stringify(found) === JSON.stringify(wanted)) return bytes;
  const odd = wanted.items.find((item, index) =>
    JSON.stringify(item) !== JSON.stringify(found.items[index])
  );
  throw new Error(
    `Cannot save the workbook: ${
      odd === undefined ? "it" : `item ${odd.input.itemId}`
    } comes back from the file otherwise than it was written.`,
  );
}
