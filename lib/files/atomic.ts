import { dirname } from "node:path";

/** A name beside `path` that no other process uses; ends in `.tmp`, which git ignores. */
export function temporaryName(path: string): string {
  return `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
}

/**
 * Writes bytes to a temporary file in the same folder and renames it over `path`: whoever reads
 * `path` finds the old file or the whole new one, even when this process is killed.
 * The folder is created where it is missing.
 */
export function writeBytesAtomic(path: string, bytes: Uint8Array): void {
  const temporary = openTemporary(path);
  try {
    writeWhole(temporary.file, bytes);
    temporary.commit();
  } catch (error) {
    temporary.discard();
    throw error;
  }
}

/** As {@link writeBytesAtomic}, for text in UTF-8. */
export function writeTextAtomic(path: string, text: string): void {
  writeBytesAtomic(path, new TextEncoder().encode(text));
}

/** Writes every byte: one call of the system may take only a part of them. */
export function writeWhole(file: Deno.FsFile, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += file.writeSync(bytes.subarray(written));
}

/** A file being written beside its final place: exactly one of `commit` and `discard` ends it. */
export interface TemporaryFile {
  readonly file: Deno.FsFile;
  /** Flushes to the disk, then takes the final name. */
  commit(): void;
  /** Removes what was written so far; harmless after a failed commit. */
  discard(): void;
}

/** Opens a temporary file for what is too big to hold in memory and must still appear at once. */
export function openTemporary(path: string): TemporaryFile {
  const name = temporaryName(path);
  const file = openNew(name);
  let open = true;
  const close = () => {
    if (open) file.close();
    open = false;
  };
  return {
    file,
    commit() {
      file.syncSync();
      close();
      Deno.renameSync(name, path);
    },
    discard() {
      close();
      try {
        Deno.removeSync(name);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    },
  };
}

/** The folder is only made where it is missing: making it takes write permission for itself. */
function openNew(path: string): Deno.FsFile {
  const options = { write: true, createNew: true };
  try {
    return Deno.openSync(path, options);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    Deno.mkdirSync(dirname(path), { recursive: true });
    return Deno.openSync(path, options);
  }
}
