/** Where systems put a Chromium. Not `PATH`: the gate may read files but no environment. */
const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/opt/homebrew/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * The browser that the page is tried in: what `CHROMIUM` names, where that may be read, else one in
 * a usual place; undefined where there is none.
 */
export function chromiumPath(): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: "CHROMIUM" });
  const named = state === "granted" ? Deno.env.get("CHROMIUM") : undefined;
  return (named ? [named] : PLACES).find(isFile);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
