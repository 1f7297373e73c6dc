/**
 * Tells whether a re-run changed anything that is committed: data, figures, notebooks, findings.
 *
 *     deno task unchanged        after deno task notebooks, in a clean clone
 *
 * A new file counts too. The last line is `N passed, N failed`: one check a path of {@link KEPT}.
 */
import { closingLine, one, sum } from "./gate/tally.ts";
import { changedFiles, KEPT } from "./unchanged/changed_files.ts";

/** Lines of difference shown for each text file. */
const SHOWN = 12;

const tallies = [];
for (const path of KEPT) {
  const changed = await changedFiles(path, Deno.cwd());
  tallies.push(one(changed.length === 0));
  console.log(`${path}: ${changed.length === 0 ? "unchanged" : `${changed.length} changed`}`);
  for (const { name, what, difference } of changed) {
    console.log(`    ${name} (${what})`);
    for (const line of difference.slice(0, SHOWN)) console.log(`        ${line.slice(0, 160)}`);
    if (difference.length > SHOWN) console.log(`        … ${difference.length - SHOWN} lines more`);
  }
}
const total = sum(tallies);
console.log(closingLine(total));
Deno.exit(total.failed === 0 ? 0 : 1);
