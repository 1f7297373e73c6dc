import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { dirname, relative } from "node:path";

/** A name beside `path` that no other process uses; ends in `.tmp`, which git ignores. */
export const temporaryName = (path: string) => `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;

/** Replaces a file at once: its readers find the old bytes or all new ones, even after a kill. */
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

/**
 * Holds a file for this process; the system lets go of it however the process ends.
 * @throws {Error} of these words where another process holds it.
 */
export function holdFile(path: string, otherwise: string): Disposable {
  Deno.mkdirSync(dirname(path), { recursive: true });
  const file = Deno.openSync(path, { write: true, create: true });
  const held = file.tryLockSync(true);
  // Unlocked by name: a child process that is just starting still holds a copy of a file that is closed.
  if (held) return { [Symbol.dispose]: () => (file.unlockSync(), file.close()) };
  file.close();
  throw new Error(otherwise);
}

/** A file being written beside its final place: exactly one of `commit` and `discard` ends it. */
export interface TemporaryFile {
  readonly file: Deno.FsFile;
  /** Flushes to the disk, then takes the final name. */
  commit(): void;
  /** Removes what was written so far; harmless after a failed commit. */
  discard(): void;
}

/**
 * Opens a temporary file for what is too big to hold in memory and must still appear at once. Its
 * folder is only made where it is missing: making it takes write permission for itself.
 */
export function openTemporary(path: string): TemporaryFile {
  const name = temporaryName(path);
  if (!existsSync(dirname(path))) Deno.mkdirSync(dirname(path), { recursive: true });
  const file = Deno.openSync(name, { write: true, createNew: true });
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
      rmSync(name, { force: true });
    },
  };
}

/** The text of a file, or undefined where there is none. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Why a file or folder cannot be read or made, in the reader's words: "it is a folder". */
export function fileProblem(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "there is no such file";
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  if (error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.AlreadyExists) {
    return "a file is in the way";
  }
  return error instanceof Error ? error.message : String(error);
}

/**
 * A path as messages show it: from the working folder where the file is in it, or one folder up, as
 * the project is for a notebook. So a message names no folder of this machine and can be kept in a
 * notebook. Any other path is shown as it is.
 */
export function shownPath(path: string): string {
  const short = relative(Deno.cwd(), path).replaceAll("\\", "/");
  return /^(?:\.\.\/)?(?!\.\.\/)[^:]+$/.test(short) && short !== ".." ? short : path;
}

const begin = (name: string) => `<!-- begin ${name} (generated, edits are lost) -->`;
const end = (name: string) => `<!-- end ${name} -->`;

/** Exchanges the text between `name`'s markers. @throws {SyntaxError} unless each stands once. */
export function replaceMarkedSection(document: string, name: string, body: string): string {
  const [head, rest, more] = document.split(begin(name));
  const [, tail, extra] = rest?.split(end(name)) ?? [];
  if (head === undefined || tail === undefined || more !== undefined || extra !== undefined) {
    throw new SyntaxError(
      `Cannot write section "${name}": the document needs the lines "${begin(name)}" and ` +
        `"${end(name)}" once each, in this order.`,
    );
  }
  return `${head}${begin(name)}\n\n${body.trim()}\n\n${end(name)}${tail}`;
}

/** Exchanges one marked section of a document on the disk; processes wait for one another. */
export function writeMarkedSection(path: string, name: string, body: string): void {
  while (true) {
    using held = Deno.openSync(path);
    held.lockSync(true);
    // Whoever held the lock before has put another file in this one's place: that is the one to hold.
    if (held.statSync().ino !== Deno.statSync(path).ino) continue;
    return writeTextAtomic(path, replaceMarkedSection(Deno.readTextFileSync(path), name, body));
  }
}

const BLOCK_BYTES = 1 << 20;

/** SHA-256 of bytes, or of a text's UTF-8, as 64 lower-case hexadecimal digits (FIPS 180-4). */
export function sha256Hex(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}

/** SHA-256 of a file, read in blocks. @throws {Deno.errors.NotFound} where it is missing. */
export function sha256OfFile(path: string): string {
  const hash = createHash("sha256");
  using file = Deno.openSync(path, { read: true });
  const block = new Uint8Array(BLOCK_BYTES);
  for (let read = file.readSync(block); read !== null; read = file.readSync(block)) {
    hash.update(block.subarray(0, read));
  }
  return hash.digest("hex");
}

/** Whether the file exists and has this SHA-256. */
export function hasSha256(path: string, sha256: string): boolean {
  return existsSync(path) && sha256OfFile(path) === sha256;
}
