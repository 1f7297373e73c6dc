import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { runProcess } from "../../lib/files/pip.ts";
import { command, EXIT, int } from "../command.ts";
import { buildPage, type Page } from "./build_page.ts";

/** Fixed port, because browsers keep unsaved work by origin, which includes the port. */
const PORT = 8731;
const CONFIG = "the run configuration, YAML or JSON (by default the demonstration's)";
const WORKBOOK = "the workbook embedded in the page (the demonstration's, without --config)";

/** Serves the rating page. The server keeps nothing, ratings stay in the rater's workbook. */
export const PAGE = command(
  "rate page",
  "Serves the rating page to this machine and opens it. The server keeps nothing: ratings stay in " +
    "the browser and in the workbook that the rater saves. Ctrl-C stops it.",
  (c) =>
    c.option("--config <file>", CONFIG)
      .option("--workbook <file>", WORKBOOK)
      .option(
        "--port <number>",
        "port; unsaved work is found again only on the same port",
        int({ min: 0, max: 65_535 }),
        PORT,
      )
      .option("--no-open", "print the address only"),
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

/** Builds the rating page; the same input gives the same bytes. */
export const BUILD = command(
  "rate build",
  "Writes the rating page as one HTML file, to be opened from disk or put on any static host. It " +
    "sends nothing anywhere.",
  (c) =>
    c.option("--config <file>", CONFIG)
      .option("--workbook <file>", WORKBOOK)
      .option("--out <file>", "output file", "rate.html"),
  async ({ config, workbook, out }) => {
    const page = await buildPage({ config, workbook });
    writeTextAtomic(out, page.html);
    const kilobytes = Math.round(new TextEncoder().encode(page.html).length / 1000);
    console.log(`${out}: the page for the configuration ${page.configPath}.`);
    if (page.embedded) {
      const { name, sentences } = page.embedded;
      console.log(`It brings along ${name}, checked: ${sentences} sentences.`);
    }
    console.log(`${kilobytes.toLocaleString("en-GB")} kB, in one file.`);
    return EXIT.done;
  },
);

/** Serves one page to this machine until the signal aborts. Throws Error if the port is in use. */
export function servePage(page: Page, port: number, signal: AbortSignal) {
  try {
    const options = { hostname: "127.0.0.1", port, signal, onListen: () => {} };
    const server: Deno.HttpServer<Deno.NetAddr> = Deno.serve(
      options,
      (request) => answer(page, request, server.addr.port),
    );
    return { address: `http://127.0.0.1:${server.addr.port}/`, finished: server.finished };
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    throw new Error(
      `Cannot serve on port ${port}: it is in use. Is the page already open at ` +
        `http://127.0.0.1:${port}/? Another port: --port NUMBER.`,
    );
  }
}

/** Host names under which this machine may request the page. */
const LOCAL_HOSTS = ["127.0.0.1", "localhost"];

/**
 * Answers a request with the page at `/` and nothing else.
 * Requests for another host are refused: otherwise a site whose name resolves to this machine (DNS
 * rebinding) could read the page and its contents.
 */
export function answer({ html, policy }: Page, request: Request, port: number): Response {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `${policy}; frame-ancestors 'none'`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (!LOCAL_HOSTS.some((name) => host === `${name}:${port}` || port === 80 && host === name)) {
    return new Response("Not for this host.", { status: 421 });
  }
  if (new URL(request.url).pathname !== "/") return new Response("Not here.", { status: 404 });
  if (request.method === "GET") return new Response(html, { headers });
  if (request.method === "HEAD") return new Response(null, { headers });
  return new Response("Only to be read.", { status: 405, headers: { allow: "GET, HEAD" } });
}

/** Command that opens an address, by operating system. */
const OPENERS: Readonly<Record<string, string>> = { darwin: "open", windows: "cmd /c start" };

/** Opens an address in the user's browser; returns false on failure. Never throws. */
async function openBrowser(
  address: string,
): Promise<boolean> {
  const [command, ...args] = [...(OPENERS[Deno.build.os] ?? "xdg-open").split(" "), address];
  try {
    const result = await runProcess(command!, args, { cwd: ".", env: {} });
    return result.kind === "ended" && result.code === 0;
  } catch {
    return false;
  }
}
