import { z } from "zod";
import type { Passage } from "./passage.ts";

/** Passages by number, in the order of the index. */
export interface PassageStore {
  /** @throws {Error} where the file that they are in cannot be read any more. */
  read(numbers: readonly number[]): readonly Passage[];
}

const PASSAGE: z.ZodType<Passage> = z.object({
  id: z.string(),
  text: z.string(),
  collection: z.string(),
  title: z.string(),
  section: z.string(),
});

/** For what fits into memory. */
export function passagesInMemory(passages: readonly Passage[]): PassageStore {
  return { read: (numbers) => numbers.map((number) => passages[number]!) };
}

/**
 * Passages that stay in a file, one JSON object a line; `offsets` are the lines' first bytes and,
 * last, the file's size. The file is opened anew for each question, so nothing need be closed.
 */
export function passagesInFile(path: string, offsets: Float64Array): PassageStore {
  return {
    read(numbers) {
      try {
        using file = Deno.openSync(path, { read: true });
        return numbers.map((number) => readLine(file, offsets[number]!, offsets[number + 1]!));
      } catch (cause) {
        throw new Error(
          `Cannot read the knowledge base: ${path} cannot be read or has been changed. ` +
            "Open the index again: it is made anew.",
          { cause },
        );
      }
    },
  };
}

function readLine(file: Deno.FsFile, start: number, end: number): Passage {
  file.seekSync(start, Deno.SeekMode.Start);
  const bytes = new Uint8Array(end - start);
  for (let read = 0; read < bytes.length;) {
    const more = file.readSync(bytes.subarray(read));
    if (more === null) throw new SyntaxError("it ends too early");
    read += more;
  }
  return PASSAGE.parse(JSON.parse(new TextDecoder().decode(bytes)));
}
