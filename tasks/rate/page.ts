import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { command, EXIT, int } from "../command.ts";
import { buildPage } from "./build_page.ts";
import { openBrowser, servePage } from "./serve_page.ts";

/** The same port every time: browsers keep unsaved work by origin, and the port is part of it. */
const PORT = 8731;
const CONFIG = "the run configuration, YAML or JSON (the demonstration's unless told)";
const WORKBOOK = "the workbook that the page brings along (the demonstration's, without --config)";

/** Keeps nothing: the rater's workbook is the source of truth. */
export const PAGE = command(
  "rate page",
  "Serves the rating page to this machine and opens it. The server keeps nothing: ratings stay in " +
    "the browser and in the workbook that the rater saves. Ctrl-C stops it.",
  (c) =>
    c.option("--config <file>", CONFIG)
      .option("--workbook <file>", WORKBOOK)
      .option(
        "--port <number>",
        "on this port; unsaved work is found again only on the same one",
        int({ min: 0, max: 65_535 }),
        PORT,
      )
      .option("--no-open", "only say the address"),
  async ({ config, workbook, port, open }, { signal }) => {
    const page = await buildPage({ config, workbook });
    const { address, finished } = servePage(page, port, signal);
    console.log(`Built for the configuration ${page.configPath}.`);
    console.log(`The rating page is at ${address}. Ctrl-C stops it.`);
    if (open && !await openBrowser(address)) console.log("Open this address in a browser.");
    await finished;
    return EXIT.done;
  },
);

/** The same input gives the same bytes. */
export const BUILD = command(
  "rate build",
  "Writes the rating page as one HTML file, to be opened from disk or put on any static host. It " +
    "sends nothing anywhere.",
  (c) =>
    c.option("--config <file>", CONFIG)
      .option("--workbook <file>", WORKBOOK)
      .option("--out <file>", "where to", "rate.html"),
  async ({ config, workbook, out }) => {
    const page = await buildPage({ config, workbook });
    writeTextAtomic(out, page.html);
    const kilobytes = Math.round(new TextEncoder().encode(page.html).length / 1000);
    console.log(`${out}: the page for the configuration ${page.configPath}.`);
    if (page.own) {
      const { name, sentences } = page.own;
      console.log(`It brings along ${name}, checked: ${sentences} sentences.`);
    }
    console.log(`${kilobytes.toLocaleString("en-GB")} kB, in one file.`);
    return EXIT.done;
  },
);
