import { parseRunConfig, type RunConfig } from "../../lib/translation/configuration.ts";
import { textsOf } from "../../lib/translation/texts.ts";
import type { RatingWorkbook } from "../../lib/translation/types.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { fileProblem, type Problem } from "../../lib/translation/workbook/sheets.ts";
import type { PickedFile } from "../storage/save_file.ts";

/** A run and where it came from. */
interface RunFile {
  readonly workbook: RatingWorkbook;
  readonly config: RunConfig;
  readonly fileName: string;
  /** To save in place; undefined where the browser or the way of opening gives none. */
  readonly handle: FileSystemFileHandle | undefined;
}

/** A run as it goes to the rating screen. */
export interface OpenedRun extends RunFile {
  /** Whether it comes from the browser's own copy, so that no file has it yet. */
  readonly recovered: boolean;
  /** Another tab has the run: this one may only look. */
  readonly readOnly: boolean;
}

/** What came of files that the rater chose or dropped. */
export type Opening =
  /** `writtenAt`, ISO 8601, is when the file was last written, as the computer says. */
  | RunFile & { readonly kind: "opened"; readonly writtenAt: string }
  | { readonly kind: "refused"; readonly fileName: string; readonly problems: readonly Problem[] };

/** Larger files are refused unread: 300 sentences with 12 translations take less than 1 MB. */
const MOST_BYTES = 50_000_000;

/**
 * Reads a workbook with the configuration that came along, or else the page's own. Never throws.
 */
export async function openFiles(
  files: readonly PickedFile[],
  pageConfig: RunConfig,
): Promise<Opening> {
  const names = files.map(({ file }) => file.name).join(", ");
  const workbooks = files.filter(({ file }) => /\.xlsx$/i.test(file.name));
  const configs = files.filter(({ file }) => /\.(?:ya?ml|json)$/i.test(file.name));
  const [chosen] = workbooks;
  const texts = textsOf(pageConfig);
  if (!chosen || workbooks.length + configs.length !== files.length) {
    return refused(names, texts("onlyXlsx"));
  }
  if (workbooks.length > 1 || configs.length > 1) {
    return refused(names, texts("oneAtATime"));
  }
  if (chosen.file.size > MOST_BYTES) {
    return refused(names, texts("tooBig"));
  }
  const { file, handle } = chosen;
  try {
    const config = configs[0]
      ? parseRunConfig(await configs[0].file.text(), configs[0].file.name)
      : pageConfig;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const read = await readWorkbook(bytes, { config, runId: crypto.randomUUID() });
    if (read.kind === "refused") return { ...read, fileName: file.name };
    const writtenAt = new Date(file.lastModified).toISOString();
    const { workbook } = read;
    return { kind: "opened", workbook, config, fileName: file.name, handle, writtenAt };
  } catch (error) {
    return refused(names, error instanceof Error ? error.message : String(error));
  }
}

function refused(fileName: string, message: string): Opening {
  return { kind: "refused", fileName, problems: [fileProblem(message)] };
}
