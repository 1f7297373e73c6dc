/** Components and input files, shared by all checks of a user's texts. */
import { join, relative } from "node:path";
import { readInput } from "../../lib/files/atomic.ts";
import { decodeUtf8, utf16Problem } from "../../lib/files/csv.ts";
import { openStatusLine } from "../../lib/files/progress.ts";
import { parseVerifierName, VERIFIER_NAMES } from "../../lib/factuality/check/configuration.ts";
import { openComponents } from "../../lib/factuality/check/components.ts";
import { userFolder } from "../../lib/factuality/paths.ts";
import { type Measure, shown } from "../../lib/stats/measure.ts";

export const CLOCK = { now: () => new Date(), milliseconds: () => performance.now() };

/** Seed of the intervals in a batch's summary. */
export const SEED = 20261122;
export const CONFIGURATION = "data/factuality/evaluation.yaml";

/** Time limit in seconds for one answer of a generating pairwise judge. */
export const TIMEOUT_SECONDS = 300;

/** Default folder of reports, relative to the working folder: below .cache/factcheck. */
export const reportFolder = (files: readonly [string, ...string[]], ...within: readonly string[]) =>
  relative(Deno.cwd(), userFolder(join("factcheck", ...within), ...files));

/**
 * Combines `--verifier` and `--model` to a verifier's name. @throws {RangeError} for an unknown
 * one.
 */
export function verifierLine(verifier: string | undefined, model: string | undefined) {
  if (verifier === undefined && model !== undefined) {
    throw new RangeError("Cannot ask --model: name its server, too, by --verifier ADDRESS.");
  }
  const line = model === undefined ? verifier : `${verifier} ${model}`;
  if (line === undefined || parseVerifierName(line) !== undefined) return line;
  const remedy = /^https?:/u.test(line)
    ? "Name the model that its server runs, by --model."
    : `It is ${VERIFIER_NAMES}.`;
  throw new RangeError(`Cannot verify by --verifier ${line}: it names no verifier. ${remedy}`);
}

/** Opens the components for a user's text. It reports judges left out, and failures. */
export async function openForText(
  config: string,
  { verifier, knowledge = true, judges = false }: {
    readonly verifier?: string | undefined;
    readonly knowledge?: boolean | undefined;
    readonly judges?: boolean | undefined;
  } = {},
) {
  using status = openStatusLine();
  const components = await openComponents(config, {
    cacheDirectory: ".cache",
    ...verifier && { verifier },
    knowledge,
    trustedJudges: !judges,
    keepVectors: true,
    onProgress: ({ component, words, stays }) =>
      status[stays ? "finish" : "show"](`${component}: ${words}`),
  });
  const left = components.judgesLeft.join(", ");
  if (left !== "") {
    console.log(
      `Judges not asked, because they were not measured above chance: ${left}. --judges asks them.`,
    );
  }
  for (const problem of components.problems) console.log(problem);
  return components;
}

export function versions(): Readonly<Record<string, string>> {
  const { rss } = Deno.memoryUsage();
  return { ...Deno.version, target: Deno.build.target, megabytes: String(Math.round(rss / 1e6)) };
}

/** Reads a file's bytes. @throws {RangeError} naming a file that cannot be read. */
export function inputBytes(path: string): Uint8Array {
  return readInput(path, (why) => `Cannot check ${path}: ${why}.`);
}

/** Reads a text without its byte order mark. @throws {RangeError} naming a file that is no text. */
export function inputText(path: string): string {
  const bytes = inputBytes(path);
  const utf16 = utf16Problem(bytes);
  if (utf16 !== undefined) throw new RangeError(`Cannot check ${path}: ${utf16}.`);
  const text = decodeUtf8(bytes)?.replace(/^\ufeff/, "");
  if (text === undefined || text.includes("\0")) {
    throw new RangeError(
      `Cannot check ${path}: it is no plain text in UTF-8. Save it as one; of a PDF or a word ` +
        "processor's file take the text out first.",
    );
  }
  if (text.trim() === "") throw new RangeError(`Cannot check ${path}: there is no text in it.`);
  return text;
}

/** Formats a share with its interval. */
export const shareWords = (share: Measure) =>
  share.kind === "unavailable" ? `unknown (${share.reason})` : shown(share);
