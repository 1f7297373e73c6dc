/** What a page is made of; each part is inlined. */
export interface PageParts {
  /** HTML with the comments policy, style, config, demo and script where their elements belong. */
  readonly template: string;
  readonly style: string;
  /** A module without imports. */
  readonly script: string;
  /** Run configuration as JSON. */
  readonly config: string;
  /** XLSX behind the demo button; undefined for a page without one. */
  readonly demo: Uint8Array | undefined;
}

/** A page in one file, and the policy that it declares. */
export interface Page {
  readonly html: string;
  readonly policy: string;
}

/**
 * One self-contained HTML file: the same parts give the same bytes. Its policy lets run the inlined
 * script and style and nothing else, and lets nothing be fetched or sent anywhere.
 *
 * Throws Error if the template lacks a place, or if script or style would end their element early.
 */
export async function assemblePage({ template, ...parts }: PageParts): Promise<Page> {
  const script = scriptText(parts.script);
  const style = styleText(parts.style);
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${await sha256(script)}'`,
    `style-src 'sha256-${await sha256(style)}'`,
    // Only the empty icon, without which browsers ask for /favicon.ico.
    "img-src data:",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  const html = filled(template, {
    policy: `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    style: `<style>${style}</style>`,
    config: element("application/json", "run-config", parts.config.replaceAll("<", "\\u003c")),
    demo: element("text/plain", "demo-workbook", parts.demo?.toBase64() ?? ""),
    script: `<script type="module">${script}</script>`,
  });
  return { html, policy };
}

/** A script element that is data: it never runs, whatever the policy says. */
function element(type: string, id: string, text: string): string {
  return `<script type="${type}" id="${id}">${text}</script>`;
}

/**
 * The bundler leaves `</script` and `<!--` only inside literals, where an escape means the same;
 * in HTML either would change where the script ends.
 */
function scriptText(script: string): string {
  return script.replace(/<(?=\/script|!--)/gi, "\\x3c");
}

function styleText(style: string): string {
  if (/<\/style/i.test(style)) throw new Error("Cannot inline the style: it contains </style.");
  return style;
}

const PLACE = /<!-- (\w+) -->/g;

function filled(template: string, parts: Readonly<Record<string, string>>): string {
  const places = [...template.matchAll(PLACE)].map(([, name]) => name!);
  const expected = Object.keys(parts);
  if (places.toSorted().join() !== expected.toSorted().join()) {
    const [has, needs] = [places, expected].map((names) => names.join(", "));
    throw new Error(`Cannot make the page: its template has places for ${has}, not ${needs}.`);
  }
  return template.replace(PLACE, (_place, name: string) => parts[name]!);
}

/** In base 64, as a Content-Security-Policy has it. */
async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toBase64();
}
