import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import type { Session } from "../../lib/translation/session/session.ts";
import { textsOf } from "../../lib/translation/page_texts.ts";
import type { RatingWorkbook } from "../../lib/translation/types.ts";
import { checkpoint } from "../../lib/translation/workbook/write_workbook.ts";
import { momentWords } from "../formatting.ts";

/** A run and its origin. */
export interface RunFile {
  readonly workbook: RatingWorkbook;
  readonly config: RunConfig;
  readonly fileName: string;
  /** Handle for saving in place; undefined if the browser provides none. */
  readonly handle: FileSystemFileHandle | undefined;
}

/** A run on the rating screen. */
export interface OpenedRun extends RunFile {
  /** True if the run comes from the browser's copy. No file has it yet. */
  readonly recovered: boolean;
  /** True if another tab has the run, so that this one is read-only. */
  readonly readOnly: boolean;
}

/** The rater's file, the only authoritative copy. */
export interface Saving {
  /** True if a change is not yet saved in a file. */
  readonly behind: boolean;
  /**
   * Result of the last attempt to save: time and destination, or the reason of failure.
   * Each attempt gives a new object.
   */
  readonly outcome: { readonly saved: boolean; readonly words: string } | undefined;
  readonly save: () => void;
}

/** Saves checkpoints on request and warns before closing a tab with unsaved changes. */
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
        const destination = await saveCheckpoint(bytes, name, handle.current);
        handle.current = destination.handle;
        const saved = destination.saved !== "cancelled";
        if (saved) setSavedRevision(revision);
        const at = momentWords(new Date().toISOString(), texts);
        const words = {
          "cancelled": texts("notSavedClosed"),
          "in-place": texts("savedTo", { name: destination.handle?.name ?? name, at }),
          "download": texts("downloadedAs", { name, at }),
        };
        setOutcome({ saved, words: words[destination.saved] });
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

/** Returns a checkpoint's name: the opened file's, `final` or `checkpoint`, and the time. */
export function checkpointName(
  fileName: string,
  kind: "checkpoint" | "final",
  stamp: string,
): string {
  const base = fileName.replace(/\.xlsx$/i, "").replace(/-(?:checkpoint|final)-\d{8}-\d{6}$/, "");
  const [date, time] = stamp.slice(0, 19).split("T");
  return `${base}-${kind}-${date!.replaceAll("-", "")}-${time!.replaceAll(":", "")}.xlsx`;
}

/**
 * Returns a function that never runs twice at once.
 * Of two writers to one file the slower would win.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => underWay ??= work().finally(() => underWay = undefined);
}

/** A chosen file, with its handle if the browser permits writing. */
export interface PickedFile {
  readonly file: File;
  readonly handle: FileSystemFileHandle | undefined;
}

/** Destination of a checkpoint; `cancelled` if the rater closed the dialogue. */
interface Saved {
  readonly saved: "in-place" | "download" | "cancelled";
  /** Handle for saving in place next time; undefined after a download. */
  readonly handle: FileSystemFileHandle | undefined;
}

/**
 * Members of file, permission and handle objects missing in TypeScript.
 * Not every browser has them.
 */
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
/** Types of opened files: a workbook, alone or with its settings. */
const OPENED = { [XLSX]: [".xlsx"], "text/yaml": [".yaml", ".yml"], "application/json": [".json"] };

/**
 * Writes a checkpoint to the handle's file or to a chosen file.
 * If neither is possible or the file cannot be written, the browser downloads it. Must be called
 * from a click or key, as pickers require.
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

/**
 * Lets the rater choose a workbook with optional settings.
 * The result is empty if the dialogue is closed.
 */
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

/**
 * Returns the files dropped on the page.
 * Must be called at once, since the browser then empties the transfer.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly PickedFile[]> {
  const items: readonly DroppedItem[] = [...transfer.items].filter(({ kind }) => kind === "file");
  const files = await Promise.all(items.map(async (item) => {
    const file = item.getAsFile();
    const handle = await item.getAsFileSystemHandle?.().catch(() => null);
    return { file, handle: handle?.kind === "file" ? handle as FileSystemFileHandle : undefined };
  }));
  return files.flatMap(({ file, handle }) => file ? [{ file, handle }] : []);
}

/** Writes a file through the browser's temporary copy. The old file stays intact until the end. */
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

/** Downloads bytes; the address stays valid long enough for slow browsers. */
function download(bytes: Uint8Array, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(asBlob(bytes));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Returns the files chosen in a file input's dialogue. */
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
