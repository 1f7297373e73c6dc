/**
 * Defines and runs the project's commands, with common option parsing and cancellation.
 *
 * There are three exit codes; the parser is commander. Errors on the command line are one sentence.
 *
 *     export const TASK = command("factcheck", "Which claims …", (c) =>
 *       c.option("--seed <number>", "of the draw", int({ min: 0 }), 1), async ({ seed }, { signal
 * }) => …);
 *     if (import.meta.main) await run(TASK);
 */
import { Command, type OptionValues } from "@commander-js/extra-typings";
import { isAbsolute } from "node:path";
import { fileProblem, shownPath, writeUnder } from "../lib/files/atomic.ts";
import { CommanderError, InvalidArgumentError } from "commander";

/** Meanings of a command's exit code. */
export const EXIT = {
  /** The requested work is complete. */
  done: 0,
  /** Nothing could be done, or a check failed; the message gives the reason. */
  failed: 1,
  /** The work was stopped or some requests failed. The same command continues it. */
  incomplete: 3,
} as const;

/** Context of a command: signal and positional arguments. */
interface Context {
  /** Signal aborted by the first Ctrl-C or SIGTERM. A second one ends the process. */
  readonly signal: AbortSignal;
  /** Positional arguments. */
  readonly args: readonly string[];
}

/** A command for {@link run}, or a member of a {@link group}. */
export type Runnable = Command<unknown[], Record<string, unknown>>;

/**
 * Describes a command.
 * @param configure Adds options; the parser of an option, such as {@link int}, checks its value.
 * @param work Returns the exit code. An error that it throws is printed in one message with exit
 * code 1, unless it is the signal's abort reason: then the code is 3.
 */
export function command<Options extends OptionValues>(
  name: string,
  about: string,
  // deno-lint-ignore no-explicit-any -- arguments are read as words, their types play no part
  configure: (command: Command) => Command<any, Options>,
  work: (options: Options, context: Context) => Promise<number> | number,
): Runnable {
  const made = configure(
    new Command(`deno task ${name}`).description(about).allowExcessArguments(false),
  );
  made.addHelpText(
    "after",
    "\nExit codes: 0 done, 1 failed, 3 incomplete (run it again to go on).",
  );
  // Help shows default files relative to the working folder.
  for (const option of made.options) {
    const { defaultValue } = option;
    if (typeof defaultValue === "string" && isAbsolute(defaultValue)) {
      option.default(defaultValue, shownPath(defaultValue));
    }
  }
  // A command that has no --out may bring its own.
  if (made.options.some(({ long }) => long === "--out")) {
    made.option("--force", "overwrite files in --out that Touchstone did not make");
  }
  made.action(async () => {
    const signal = stopSignal();
    try {
      requireNames(made);
      const { force } = made.opts() as OptionValues;
      // A command's own place, where it goes by default, was not named by the user.
      const isNamed = made.getOptionValueSource("out") === "cli";
      const rule = { isNamed, isForced: force === true };
      Deno.exitCode = await writeUnder(
        rule,
        () => work(made.opts(), { signal, args: made.args }),
      );
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
      Deno.exitCode = EXIT.incomplete;
    }
  });
  return made as unknown as Runnable;
}

/** Checks the names of files and folders. @throws {SyntaxError} for a blank one. */
function requireNames(made: Command): void {
  const given: Readonly<Record<string, unknown>> = made.opts();
  for (const option of made.options) {
    const isBlank = [given[option.attributeName()]].flat().some((one) =>
      typeof one === "string" && one.trim() === ""
    );
    if (!isBlank || !/<(?:file|folder|stem)/.test(option.flags)) continue;
    throw new SyntaxError(`Cannot run this: ${option.long} names nothing. Give it a name.`);
  }
  if (made.args.every((word) => word.trim() !== "")) return;
  throw new SyntaxError("Cannot run this: an argument names nothing. Give it a name.");
}

/**
 * Member of a {@link group}: its purpose, and the command or the module that exports it as `TASK`.
 * It may depend on the following arguments.
 */
type Member = readonly [
  about: string,
  load: (args: readonly string[]) => Promise<Runnable | { readonly TASK: Runnable }>,
];

/** Tests whether any of these options is among the arguments. */
export const hasOption = (args: readonly string[], ...options: readonly string[]) =>
  args.some((word) => options.includes(word.split("=")[0]!));

/**
 * Prints the new name of a renamed command to the error output. Old names remain for one version.
 */
export const printRenamed = (old: string, now: string) =>
  console.error(
    `\`deno task ${old}\` is now \`deno task ${now}\`; the old name goes with the next version.`,
  );

/** Defines a command with subcommands (`study`, `bench`), each loaded on use. */
export function group(name: string, about: string, members: Readonly<Record<string, Member>>) {
  const whole = new Command(`deno task ${name}`).description(about).helpCommand(false);
  for (const [member, [text, load]] of Object.entries(members)) {
    whole.command(member).description(text).allowUnknownOption().allowExcessArguments()
      .helpOption(false)
      .action(async (_options, own) => {
        const loaded = await load(own.args);
        await parse("TASK" in loaded ? loaded.TASK : loaded, own.args);
      });
  }
  return whole as unknown as Runnable;
}

/** Runs a command with the process's arguments and exits with its code. */
export async function run(runnable: Runnable, args: readonly string[] = Deno.args): Promise<never> {
  Deno.exit(await exitCodeOf(runnable, args));
}

/** Runs a command in this process: returns its exit code and prints every error. */
export async function exitCodeOf(runnable: Runnable, args: readonly string[]): Promise<number> {
  const before = Deno.exitCode;
  try {
    Deno.exitCode = EXIT.done;
    await parse(runnable, args);
    return Deno.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done; // --help
    if (!(error instanceof Error)) throw error;
    // The system's message, where we have no words of our own.
    const isOfSystem = "code" in error && /^E[A-Z]+$/.test(String(error.code)) &&
      !error.message.startsWith("Cannot ");
    console.error(isOfSystem ? systemSentence(error) : error.message);
    // A server that did not answer may, when the same command is run again.
    return "mayPass" in error && error.mayPass === true ? EXIT.incomplete : EXIT.failed;
  } finally {
    Deno.exitCode = before;
  }
}

/** Formats a system error as a sentence: `Cannot go on: permission is denied (open 'x').` */
function systemSentence(error: Error): string {
  const [, place = ""] = /(?:: |, )(\w+ '.*')$/s.exec(error.message) ?? [];
  return `Cannot go on: ${fileProblem(error)}${place && ` (${place})`}.`;
}

/** Formats commander's error message as one sentence. */
function sentence(message: string): string {
  const [, word] = /^error: too many arguments\..*: (.*)\.$/s.exec(message) ?? [];
  if (word !== undefined) {
    return `Cannot run this: ${word} stands by itself; put the option before it that it belongs to.`;
  }
  const [what = ""] = message.replace(/^error: /, "").split("\n");
  return `Cannot run this: ${what.replace(/\.?$/, ".")}`;
}

async function parse(runnable: Runnable, args: readonly string[]): Promise<void> {
  for (const one of [runnable, ...runnable.commands]) {
    one.exitOverride().configureOutput({
      writeErr: () => {},
      writeOut: (text) => console.log(text.trimEnd()),
      getOutHelpWidth: () => 80,
      // Its own way to find out reads the environment, for which most commands have no permission.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  }
  try {
    await runnable.parseAsync([...args], { from: "user" });
  } catch (error) {
    // Reported here, where it is known whose help says more: a group's, or its member's.
    if (!(error instanceof CommanderError) || error.exitCode === 0) throw error;
    const isHelp = error.code === "commander.help";
    const message = `${sentence(error.message)} See ${runnable.name()} --help.`;
    throw new SyntaxError(isHelp ? runnable.helpInformation().trimEnd() : message, {
      cause: error,
    });
  }
}

/** Minimum and maximum, inclusive; unbounded by default. */
type Bounds = { readonly min?: number; readonly max?: number };

/** Parser of an option with a whole number. */
export const int = (bounds: Bounds = {}) => numeric("a whole number", /^\s*[+-]?\d+\s*$/, bounds);

/** Parser of an option with a finite number. */
export const real = (bounds: Bounds = {}) => numeric("a number", /\S/, bounds);

function numeric(what: string, form: RegExp, { min = -Infinity, max = Infinity }: Bounds) {
  return (text: string): number => {
    const value = Number(text);
    const isRight = form.test(text) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    if (isRight && value >= min && value <= max) return value;
    const from = min === -Infinity ? "" : ` from ${min}`;
    const to = max < Infinity ? ` up to ${max}` : from === "" ? "" : " on";
    throw new InvalidArgumentError(`it must be ${what}${from}${to}`);
  };
}

/** Parser of an option with one of several words. */
export function choiceOf<const Word extends string>(
  ...words: readonly Word[]
): (text: string) => Word {
  return (text) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`it must be one of ${words.join(", ")}`);
  };
}

/**
 * Returns a signal aborted by the first Ctrl-C or SIGTERM. Another one after at least a second ends
 * the process. Earlier ones are ignored: a terminal and `deno task` both pass on the same
 * keystroke.
 */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  // Windows knows no SIGTERM.
  const signals = Deno.build.os === "windows"
    ? ["SIGINT"] as const
    : ["SIGINT", "SIGTERM"] as const;
  const onInterrupt = () => {
    if (stop.signal.aborted) return;
    console.error("\nStopping; what was kept so far stays");
    const unlisten = () => signals.forEach((one) => Deno.removeSignalListener(one, onInterrupt));
    Deno.unrefTimer(setTimeout(unlisten, 1000));
    stop.abort();
  };
  signals.forEach((one) => Deno.addSignalListener(one, onInterrupt));
  return stop.signal;
}
