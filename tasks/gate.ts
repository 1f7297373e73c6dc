/**
 * The one gate: format, lint, types (of notebook cells too) and tests. Every part is run, also
 * after a failure; the last line says how many checks passed and failed.
 *
 *     deno task ok        the gate
 *     deno task test      the same, packages installed first
 */
import { type Step, steps } from "./gate/steps.ts";
import { closingLine, one, sum, type Tally, tallyOfTests } from "./gate/tally.ts";

async function run({ args, tests }: Step): Promise<Tally> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    stdin: "null",
    stdout: tests ? "piped" : "inherit",
    env: { NO_COLOR: "1" },
  });
  const child = command.spawn();
  const output = tests ? await shown(child.stdout) : "";
  const { success } = await child.status;
  return tests ? tallyOfTests(output, success) : one(success);
}

/** Passes a stream on while it comes, and keeps it. */
async function shown(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text += part;
    Deno.stdout.writeSync(new TextEncoder().encode(part));
  }
  return text;
}

const parts = steps({ install: Deno.args.includes("--install") });
const tallies: Tally[] = [];
for (const [index, step] of parts.entries()) {
  const begin = performance.now();
  console.log(`\n[${index + 1}/${parts.length}] ${step.name}`);
  const tally = await run(step);
  const verdict = tally.failed === 0 ? "ok" : "FAILED";
  console.log(`    ${verdict}, ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  tallies.push(tally);
}
const broken = parts.filter((_, index) => tallies[index]!.failed > 0).map(({ name }) => name);
if (broken.length > 0) console.log(`\nTo be mended: ${broken.join(", ")}`);
const total = sum(tallies);
console.log(`\n${closingLine(total)}`);
Deno.exit(total.failed === 0 ? 0 : 1);
