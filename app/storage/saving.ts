import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import type { Session } from "../../lib/translation/session/session.ts";
import { textsOf } from "../../lib/translation/texts.ts";
import type { RatingWorkbook } from "../../lib/translation/types.ts";
import { checkpoint } from "../../lib/translation/workbook/write_workbook.ts";
import { momentWords } from "../words.ts";

/** A run and where it came from. */
export interface RunFile {
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

/** The rater's file: the only copy that counts. */
export interface Saving {
  /** Whether there are changes that no saved file has. */
  readonly behind: boolean;
  /** When and how the last attempt was saved, or why not; the next is another object. */
  readonly outcome: { readonly saved: boolean; readonly words: string } | undefined;
  readonly save: () => void;
}

/** Saves checkpoints on request and warns before a tab closes that is ahead of its file. */
export function useSaving(session: Session, run: OpenedRun): Saving {
  const latest = useRef(session);
  latest.current = session;
  const handle = useRef(run.handle);
  const [savedRevision, setSavedRevision] = useState(run.recovered ? -1 : session.revision);
  const [outcome, setOutcome] = useState<Saving["outcome"]>();
  const save = useMemo(() =>
    oneAtATime(async () => {
      const { workbook, config, finished, revision } = latest.current;
      const texts = textsOf(config);
      try {
        const bytes = await checkpoint(workbook, config);
        const kind = finished ? "final" : "checkpoint";
        const name = checkpointName(run.fileName, kind, new Date().toISOString());
        const found = await saveCheckpoint(bytes, name, handle.current);
        handle.current = found.handle;
        const saved = found.saved !== "cancelled";
        if (saved) setSavedRevision(revision);
        const at = momentWords(new Date().toISOString(), texts);
        const words = {
          "cancelled": texts("notSavedClosed"),
          "in-place": texts("savedTo", { name: found.handle?.name ?? name, at }),
          "download": texts("downloadedAs", { name, at }),
        };
        setOutcome({ saved, words: words[found.saved] });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        setOutcome({ saved: false, words: texts("notSaved", { reason }) });
      }
    }), [run]);
  const behind = session.revision !== savedRevision;
  const warns = behind && !run.readOnly;
  useEffect(() => {
    if (!warns) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [warns]);
  return { behind, outcome, save };
}

/**
 * What a checkpoint is called: the opened file's name, a word for the file to hand in, and the
 * time.
 */
export function checkpointName(
  fileName: string,
  kind: "checkpoint" | "final",
  stamp: string,
): string {
  const base = fileName.replace(/\.xlsx$/i, "").replace(/-(?:checkpoint|final)-\d{8}-\d{6}$/, "");
  const [date, time] = stamp.slice(0, 19).split("T");
  return `${base}-${kind}-${date!.replaceAll("-", "")}-${time!.replaceAll(":", "")}.xlsx`;
}

/** `work` never done twice at once: of two writers to one file the slower would win. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => underWay ??= work().finally(() => underWay = undefined);
}

/** A file that the rater chose; with its handle where the browser lets a page write it again. */
export interface PickedFile {
  readonly file: File;
  readonly handle: FileSystemFileHandle | undefined;
}

/** Where a checkpoint went. After `cancelled` it went nowhere: the rater closed the dialogue. */
interface Saved {
  readonly saved: "in-place" | "download" | "cancelled";
  /** To save in place the next time; undefined after a download. */
  readonly handle: FileSystemFileHandle | undefined;
}

/** What TypeScript's DOM types lack of files, permissions and handles; not every browser has it. */
interface FilePickers {
  readonly showSaveFilePicker?: (options: PickerOptions) => Promise<FileSystemFileHandle>;
  readonly showOpenFilePicker?: (options: PickerOptions) => Promise<FileSystemFileHandle[]>;
}
interface PickerOptions {
  readonly suggestedName?: string;
  readonly multiple?: boolean;
  readonly types: readonly {
    readonly description: string;
    readonly accept: Readonly<Record<string, readonly string[]>>;
  }[];
}
interface WithPermission {
  readonly requestPermission?: (mode: { readonly mode: "readwrite" }) => Promise<PermissionState>;
}
interface DroppedItem extends DataTransferItem {
  readonly getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>;
}

const pickers = () => globalThis as unknown as FilePickers;
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const TYPES: PickerOptions["types"] = [
  { description: "Excel workbook", accept: { [XLSX]: [".xlsx"] } },
];
/** What is opened: a workbook, alone or with its settings. */
const OPENED = { [XLSX]: [".xlsx"], "text/yaml": [".yaml", ".yml"], "application/json": [".json"] };

/**
 * Writes a checkpoint: over the file of `handle`, else where the rater says, else (also when a file
 * cannot be written) as a download. Call it from a click or key: pickers ask for that.
 */
export async function saveCheckpoint(
  bytes: Uint8Array,
  suggestedName: string,
  handle?: FileSystemFileHandle,
): Promise<Saved> {
  try {
    const target: FileSystemFileHandle & WithPermission | undefined = handle ??
      await pickers().showSaveFilePicker?.({ suggestedName, types: TYPES });
    const permission = await target?.requestPermission?.({ mode: "readwrite" }) ?? "granted";
    if (target && permission === "granted") {
      await writeTo(target, bytes);
      return { saved: "in-place", handle: target };
    }
  } catch (error) {
    if (isCancelled(error)) return { saved: "cancelled", handle };
  }
  download(bytes, suggestedName);
  return { saved: "download", handle: undefined };
}

/** Lets the rater choose a workbook, and its settings file with it; none if the dialogue is closed. */
export async function pickFiles(): Promise<readonly PickedFile[]> {
  try {
    const types = [{ description: "Excel workbook, settings", accept: OPENED }];
    const picked = await pickers().showOpenFilePicker?.({ multiple: true, types });
    if (picked === undefined) return await chosen(Object.values(OPENED).flat().join());
    return await Promise.all(
      picked.map(async (handle) => ({ file: await handle.getFile(), handle })),
    );
  } catch (error) {
    if (isCancelled(error)) return [];
    throw error;
  }
}

/** Files that were dropped on the page. The transfer is emptied after the event: call it at once. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly PickedFile[]> {
  const items: readonly DroppedItem[] = [...transfer.items].filter(({ kind }) => kind === "file");
  const files = await Promise.all(items.map(async (item) => {
    const file = item.getAsFile();
    const handle = await item.getAsFileSystemHandle?.().catch(() => null);
    return { file, handle: handle?.kind === "file" ? handle as FileSystemFileHandle : undefined };
  }));
  return files.flatMap(({ file, handle }) => file ? [{ file, handle }] : []);
}

/** The browser writes a copy and swaps it in at `close`: the old file stays whole until then. */
async function writeTo(handle: FileSystemFileHandle, bytes: Uint8Array): Promise<void> {
  const stream = await handle.createWritable();
  try {
    await stream.write(asBlob(bytes));
    await stream.close();
  } catch (error) {
    await stream.abort().catch(() => {});
    throw error;
  }
}

const isCancelled = (error: unknown) => error instanceof Error && error.name === "AbortError";

const asBlob = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>], { type: XLSX });

/** The address stays valid long enough for slow browsers to have begun reading. */
function download(bytes: Uint8Array, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(asBlob(bytes));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The files chosen in the browser's oldest dialogue. */
function chosen(accept: string): Promise<readonly PickedFile[]> {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = accept;
  return new Promise((resolve) => {
    input.onchange = () =>
      resolve([...input.files ?? []].map((file) => ({ file, handle: undefined })));
    input.oncancel = () => resolve([]);
    input.click();
  });
}
