import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Returns an unused name next to `path`; it ends in `.tmp`, which git ignores. */
export const temporaryName = (path: string) => `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;

/**
 * Replaces a file atomically. Readers find the old or the complete new bytes, even after a crash.
 */
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

/** Writes all bytes; a single system call may write only a part. */
export function writeWhole(file: Deno.FsFile, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += file.writeSync(bytes.subarray(written));
}

/**
 * Locks a file for this process. The system releases it when the process ends. @throws {Error} with
 * this message where another process has the lock.
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

/** A temporary file next to its final path, ended by `commit` or `discard`. */
export interface TemporaryFile {
  readonly file: Deno.FsFile;
  /** Flushes the file to disk and gives it the final name. */
  commit(): void;
  /** Removes the file. It has no effect after a failed commit. */
  discard(): void;
}

/**
 * Opens a temporary file for content that is too large for memory.
 *
 * The folder is created only if missing, because this requires a separate permission.
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

/** Messages for users by system error code. */
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

/** Returns the reason why a path cannot be read or created, for users: "it is a folder". */
export function fileProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return PROBLEMS["code" in error ? String(error.code) : ""] ??
    error.message.replace(/ \(os error \d+\).*$/s, "");
}

/** Runs `write` with readable errors. @throws {Error} "Cannot write X: …" for a system error. */
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
 * The parent is the project's folder for notebooks. Messages thus contain no absolute path of this
 * machine. Other paths are unchanged.
 */
export function shownPath(path: string): string {
  const short = relative(Deno.cwd(), path).replaceAll("\\", "/");
  return /^(?:\.\.\/)?(?!\.\.\/)[^:]+$/.test(short) && short !== ".." ? short : path;
}

/** Rule on overwriting files, set by {@link writeUnder}. */
interface WriteRule {
  /** True if the user named the folder. Files of the project are then never overwritten. */
  readonly isNamed: boolean;
  /** True if files that Touchstone did not make may be overwritten. */
  readonly isForced: boolean;
}

/**
 * Rule of the running command. There is none in tests, and in notebooks, which write the project's
 * files.
 */
let rule: WriteRule | undefined;
/** Real paths of the command's input files, and of files that it appends to. */
const [inputs, growing] = [new Set<string>(), new Set<string>()];

/** File in each folder that lists files made by Touchstone, one per line. */
const MADE = ".touchstone-outputs.jsonl";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const OF_PROJECT = ["data", "figures", "notebooks"];

/**
 * Runs a command's work with protection of files. It cannot overwrite its inputs or files that
 * Touchstone did not make. If the user named the folder, it cannot overwrite the project's data/,
 * figures/ and notebooks/.
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

/** Protects a user's input file from being overwritten by this command. */
export function protectInput(path: string): void {
  if (rule !== undefined) inputs.add(realPath(path));
}

/** Maximum size in bytes of a user's file that is read at once. */
const LARGEST = 250e6;

/** Returns an error message for the reason why a file cannot be read. */
export type Refusal = (why: string) => string;

/**
 * Checks a user's file before it is read, and protects it. @throws {RangeError} with the message of
 * `refuse` for a missing or too large file, or a folder.
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

/** Reads a user's file. Throws as {@link checkInput} does. */
export function readInput(path: string, refuse: Refusal): Uint8Array<ArrayBuffer> {
  checkInput(path, refuse);
  try {
    return Deno.readFileSync(path);
  } catch (cause) {
    throw new RangeError(refuse(fileProblem(cause)), { cause });
  }
}

/** Resolves symbolic links, also for a missing file. */
function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    const whole = resolve(path);
    const folder = dirname(whole);
    return folder === whole ? whole : join(realPath(folder), basename(whole));
  }
}

/** Classifies a path: free (without a rule, or in the cache), of the project, or of the user. */
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
 * Checks that a file may be written under the rule of {@link writeUnder}. All writing functions
 * call it; long commands call it in advance. @throws {RangeError} "Cannot write X: …".
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

/**
 * Checks that a file may be appended to, and records it. Throws as {@link requireWritable} does.
 */
export function requireAppendable(path: string): void {
  if (rule === undefined || growing.has(realPath(path))) return;
  requireWritable(path);
  markAppendable(path);
}

/**
 * Records a file as made by Touchstone whatever its content, since it grows or shows its origin.
 */
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

/**
 * Returns hashes of all versions that Touchstone wrote under this name; an empty string for a file
 * that grows.
 */
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

/** Records a file as made by Touchstone, in one write of one line. */
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

/** Creates a command's folder and its parents. @throws {RangeError} "Cannot write into X: …". */
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

/** Replaces the text between a name's markers. @throws {SyntaxError} unless each occurs once. */
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

/** Replaces a marked section of a file under a lock. */
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

/**
 * Returns the SHA-256 (FIPS 180-4) of bytes or of a text's UTF-8, as 64 lower-case hexadecimal
 * digits.
 */
export function sha256Hex(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}

/**
 * Returns the SHA-256 of a file, read in blocks. @throws {Deno.errors.NotFound} where it is
 * missing.
 */
export function sha256OfFile(path: string): string {
  const hash = createHash("sha256");
  using file = Deno.openSync(path, { read: true });
  const block = new Uint8Array(BLOCK_BYTES);
  for (let read = file.readSync(block); read !== null; read = file.readSync(block)) {
    hash.update(block.subarray(0, read));
  }
  return hash.digest("hex");
}

/** Tests whether a file exists with this SHA-256. */
export function hasSha256(path: string, sha256: string): boolean {
  return existsSync(path) && sha256OfFile(path) === sha256;
}
