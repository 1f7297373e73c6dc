/** Exit code of a task that could do nothing and said why. */
const ERROR = 1;

/**
 * Runs a task for a shell: `--help` prints how it is used and nothing else is done, an error is told
 * in one message without a stack.
 * @returns the exit code: the work's own; 0 after `--help`, 1 after an error.
 */
export async function runCommand(
  args: readonly string[],
  usage: string,
  work: () => Promise<number>,
): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    return 0;
  }
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    return ERROR;
  }
}

/**
 * What `parse` makes of a command line.
 * @throws {SyntaxError} with the usage, for an option that is none; for what else is wrong as it is.
 */
export function withUsage<Values>(usage: string, parse: () => Values): Values {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [what] = error.message.split(". To specify a positional argument");
    throw new SyntaxError(`${what}.\n\n${usage}`, { cause: error });
  }
}

/**
 * The number that an option was given as text.
 * @throws {RangeError} naming the option, where it is no whole number or less than `least`.
 */
export function wholeNumber(option: string, text: string, least = 1): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(value) && value >= least) return value;
  throw new RangeError(
    `Cannot read the options: --${option} is "${text}", not a whole number from ${least} on`,
  );
}
