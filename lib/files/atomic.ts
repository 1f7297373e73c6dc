import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Returns an unused name next to `path`; it ends in `.tmp`, which git ignores. */
export const temporaryName = (path: string) => `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;

/** Replaces a file at once: its readers find the old bytes or all new ones, even after a kill. */
export function writeBytesAtomic(path: string, bytes: Uint8Array): void {
  const temporary = openTemporary(path);
  try {
    explainingWriteErrors(path, () => writeWhole(temporary.file, bytes));
    temporary.commit();
  } catch (error) {
    temporary.discard();
    throw error;
  }
}

/** Writes UTF-8 text as {@link writeBytesAtomic} does. */
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
export function lockFile(path: string, otherwise: string): Disposable {
  if (ownerOf(path) === "project") throw belongsToProject(path);
  const file = explainingWriteErrors(path, () => {
    Deno.mkdirSync(dirname(path), { recursive: true });
    return Deno.openSync(path, { write: true, create: true });
  });
  const held = file.tryLockSync(true);
  // Unlocked by name: a child process that is just starting still holds a copy of a file that is closed.
  if (held) return { [Symbol.dispose]: () => (file.unlockSync(), file.close()) };
  file.close();
  throw new Error(otherwise);
}

/** A file being written next to its final path; `commit` or `discard` ends it. */
export interface TemporaryFile {
  readonly file: Deno.FsFile;
  /** Flushes to the disk, then takes the final name. */
  commit(): void;
  /** Removes what was written so far; harmless after a failed commit. */
  discard(): void;
}

/**
 * Opens a temporary file for contents too large for memory that must appear at once.
 *
 * Its folder is only made where it is missing: making it takes write permission for itself.
 */
export function openTemporary(path: string): TemporaryFile {
  requireWritable(path);
  const name = temporaryName(path);
  const file = explainingWriteErrors(path, () => {
    if (!existsSync(dirname(path))) Deno.mkdirSync(dirname(path), { recursive: true });
    return Deno.openSync(name, { write: true, createNew: true });
  });
  let open = true;
  const close = () => {
    if (open) file.close();
    open = false;
  };
  return {
    file,
    commit() {
      explainingWriteErrors(path, () => {
        file.syncSync();
        close();
        // Before it has its name: a kill in between must not leave a file of unknown origin.
        if (ownerOf(path) === "own") note(path, sha256OfFile(name));
        Deno.renameSync(name, path);
      });
    },
    discard() {
      close();
      rmSync(name, { force: true });
    },
  };
}

/** Reads the text of a file; undefined if the file does not exist. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Messages for the system's error codes, in the reader's words. */
const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "a file is in the way",
  EEXIST: "a file is in the way",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "it can only be read",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
};

/** Returns why a path cannot be read or made, in the reader's words: "it is a folder". */
export function fileProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return PROBLEMS["code" in error ? String(error.code) : ""] ??
    error.message.replace(/ \(os error \d+\).*$/s, "");
}

/**
 * Writes a file through `write`, with explained errors. @throws {Error} "Cannot write X: …" for an
 * error of the system.
 */
export function explainingWriteErrors<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    const why = fileProblem(cause);
    const remedy = why === PROBLEMS.ENOSPC
      ? "What was written before stays: free some space and run the same command again"
      : "Name another place";
    throw new Error(`Cannot write ${shownPath(path)}: ${why}. ${remedy}.`, { cause });
  }
}

/**
 * Formats a path for messages, relative to the working folder or its parent.
 *
 * The parent is the project's folder for a notebook. So a message names no folder of this machine
 * and can be kept in a notebook. Any other path is shown unchanged.
 */
export function shownPath(path: string): string {
  const short = relative(Deno.cwd(), path).replaceAll("\\", "/");
  return /^(?:\.\.\/)?(?!\.\.\/)[^:]+$/.test(short) && short !== ".." ? short : path;
}

/** Files that a command may overwrite; set by {@link writeUnder}. */
interface WriteRule {
  /** True if the user named the folder: then no file of the project is overwritten. */
  readonly isNamed: boolean;
  /** True if files may be overwritten that Touchstone did not make. */
  readonly isForced: boolean;
}

/**
 * Rules of the running command; none in notebooks, which make the project's own files, and in
 * tests.
 */
let rule: WriteRule | undefined;
/** Real paths of the command's inputs, and of files that it appends to. */
const [inputs, growing] = [new Set<string>(), new Set<string>()];

/** Names, one a line, the files of a folder that Touchstone made. */
const MADE = ".touchstone-outputs.jsonl";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const OF_PROJECT = ["data", "figures", "notebooks"];

/**
 * Does a command's work. Meanwhile no file is written over that it read or that Touchstone did not make,
 * and, where the user named the place, none in the project's data/, figures/ and notebooks/.
 */
export async function writeUnder<Result>(
  next: WriteRule,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  const before = rule;
  rule = next;
  try {
    return await work();
  } finally {
    rule = before;
    inputs.clear();
    growing.clear();
  }
}

/** Notes a file that a user gave: this command never writes over it. */
export function protectInput(path: string): void {
  if (rule !== undefined) inputs.add(realPath(path));
}

/** Bytes of the largest file of a user's that is read whole. */
const LARGEST = 250e6;

/** An error's message, by why a file cannot be read. */
export type Refusal = (why: string) => string;

/**
 * Looks at a user's file before it is read, and notes it.
 * @throws {RangeError} in the words of `refuse` for none, a folder, or more bytes than can be held.
 */
export function checkInput(path: string, refuse: Refusal): void {
  let found: Deno.FileInfo;
  try {
    found = Deno.statSync(path);
  } catch (cause) {
    throw new RangeError(refuse(fileProblem(cause)), { cause });
  }
  if (found.isDirectory) throw new RangeError(refuse("it is a folder"));
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  if (found.size > LARGEST) {
    const most = `at most ${megabytes(LARGEST)} are read; split it, or see what made it so large`;
    throw new RangeError(refuse(`it has ${megabytes(found.size)}, ${most}`));
  }
  protectInput(path);
}

/** A user's file. Throws as {@link checkInput} does. */
export function readInput(path: string, refuse: Refusal): Uint8Array<ArrayBuffer> {
  checkInput(path, refuse);
  try {
    return Deno.readFileSync(path);
  } catch (cause) {
    throw new RangeError(refuse(fileProblem(cause)), { cause });
  }
}

/** Resolves links, also for a file that does not exist. */
function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    const whole = resolve(path);
    const folder = dirname(whole);
    return folder === whole ? whole : join(realPath(folder), basename(whole));
  }
}

/**
 * Classifies a path: free where no rule holds and in the cache, the project's, or the user's own.
 */
function ownerOf(path: string): "free" | "project" | "own" {
  if (rule === undefined) return "free";
  const place = relative(Deno.realPathSync(PROJECT), realPath(path));
  if (place.startsWith("..") || isAbsolute(place)) return "own";
  const [room = ""] = place.split(sep);
  if (!rule.isNamed || room === ".cache") return "free";
  return OF_PROJECT.includes(room) ? "project" : "own";
}

const cannotWrite = (path: string, why: string, remedy: string) =>
  new RangeError(`Cannot write ${shownPath(path)}: ${why}. ${remedy}.`);

const belongsToProject = (path: string) =>
  cannotWrite(path, "it belongs to the project", "Name a folder outside of data/ and the like");

/**
 * Refuses to write over what is not this command's: {@link writeUnder}. Every file that is written comes
 * through here; a command that works long asks before.
 * @throws {RangeError} "Cannot write X: …".
 */
export function requireWritable(path: string): void {
  const { isFile = true, isDirectory = false, size = 0 } = statOf(path) ?? {};
  if (isDirectory) throw cannotWrite(path, "it is a folder", "Name a file");
  if (!isFile) throw cannotWrite(path, "it is no file that can be replaced", "Name another one");
  const [place, real] = [ownerOf(path), realPath(path)];
  if (place === "project") throw belongsToProject(path);
  if (inputs.has(real)) throw cannotWrite(path, "this command reads it", "Name another place");
  if (place === "free" || rule?.isForced || size === 0 || growing.has(real)) return;
  const made = digestsOf(real);
  if (made.has("") || made.size > 0 && made.has(sha256OfFile(real))) return;
  const why = made.size > 0
    ? "it was changed since Touchstone made it"
    : "Touchstone did not make it";
  throw cannotWrite(path, why, "Name another place, or add --force to write over it");
}

/** Checks that a file may be appended to, and notes it. Throws as {@link requireWritable}. */
export function requireAppendable(path: string): void {
  if (rule === undefined || growing.has(realPath(path))) return;
  requireWritable(path);
  markAppendable(path);
}

/** Notes a file as Touchstone's whatever its content: it grows, or its content shows its maker. */
export function markAppendable(path: string): void {
  if (rule === undefined) return;
  if (ownerOf(path) === "project") throw belongsToProject(path);
  if (ownerOf(path) === "own") note(path, "");
  growing.add(realPath(path));
}

const statOf = (path: string): Deno.FileInfo | undefined => {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined; // Whoever opens it says why.
  }
};

/** SHA-256 of all that Touchstone wrote under this name; the empty string for a file that grows. */
function digestsOf(real: string): ReadonlySet<string> {
  const lines = (readTextIfThere(join(dirname(real), MADE)) ?? "").split("\n");
  return new Set(lines.flatMap((line) => {
    try {
      const { file, sha256 } = JSON.parse(line);
      return file === basename(real) && typeof sha256 === "string" ? [sha256] : [];
    } catch {
      return []; // A line that a kill cut.
    }
  }));
}

/** Notes a file as made by Touchstone, in one write of one line. */
function note(path: string, sha256: string): void {
  const real = realPath(path);
  if (digestsOf(real).has(sha256)) return;
  Deno.mkdirSync(dirname(real), { recursive: true });
  using file = Deno.openSync(join(dirname(real), MADE), { append: true, create: true });
  writeWhole(
    file,
    new TextEncoder().encode(`${JSON.stringify({ file: basename(real), sha256 })}\n`),
  );
}

/** Makes a command's folder, with those above it. @throws {RangeError} "Cannot write into X: …". */
export function makeFolder(path: string): void {
  if (ownerOf(path) === "project") throw belongsToProject(path);
  try {
    Deno.mkdirSync(path, { recursive: true });
  } catch (cause) {
    const why = `${fileProblem(cause)}. Name another folder.`;
    throw new RangeError(`Cannot write into ${shownPath(path)}: ${why}`, { cause });
  }
}

const begin = (name: string) => `<!-- begin ${name} (generated, edits are lost) -->`;
const end = (name: string) => `<!-- end ${name} -->`;

/** Replaces the text between `name`'s markers. @throws {SyntaxError} unless each occurs once. */
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

/** Returns true if the file exists and has this SHA-256. */
export function hasSha256(path: string, sha256: string): boolean {
  return existsSync(path) && sha256OfFile(path) === sha256;
}
