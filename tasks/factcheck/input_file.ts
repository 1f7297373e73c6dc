/**
 * The bytes of a file that the command line names.
 * @throws {RangeError} naming it, where it cannot be read.
 */
export function inputBytes(path: string): Uint8Array {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    throw new RangeError(`Cannot check ${path || "a file without a name"}: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/**
 * The same as a text, without a byte order mark.
 * @throws {RangeError} naming it, where it cannot be read, is no text in UTF-8, or has no word in it.
 */
export function inputText(path: string): string {
  const text = decoded(inputBytes(path));
  if (text === undefined || text.includes("\0")) {
    throw new RangeError(
      `Cannot check ${path}: it is no plain text in UTF-8. Save it as one; of a PDF or a word ` +
        "processor's file take the text out first.",
    );
  }
  if (text.trim() === "") throw new RangeError(`Cannot check ${path}: there is no text in it.`);
  return text;
}

/**
 * Makes a folder for reports, before any work is done for them.
 * @throws {RangeError} naming it, where there can be none.
 */
export function outputFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new RangeError(
      `Cannot write reports into ${path}: ${reasonOf(error)}. Choose another --out.`,
      { cause: error },
    );
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "there is no such file";
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  if (error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.AlreadyExists) {
    return "a file is in the way";
  }
  return error instanceof Error ? error.message : String(error);
}
