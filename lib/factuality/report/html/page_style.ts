/**
 * Every text colour has at least 4.5 : 1 on its ground, light and dark; verdicts differ by line and
 * sign as well as by colour (Okabe and Ito's, told apart in every common colour blindness).
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf7; --panel: #ffffff; --ink: #1d2126; --quiet: #59616a; --hair: #dedbd3;
  --accent: #17588f; --mark: #fbe9b4; --mark-hot: #f3c94f;
  --supported: #00507d; --supported-tint: #dcecf6;
  --refuted: #963c00; --refuted-tint: #fde3d3;
  --unknown: #6b5200; --unknown-tint: #fdf3cf;
  --unscored: #59616a; --unscored-tint: #ecebe7;
  --flag: #8a2e72;
  font: 100%/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15181b; --panel: #1b1f23; --ink: #e3e6e8; --quiet: #a2abb3; --hair: #30363c;
    --accent: #7db7ea; --mark: #46391a; --mark-hot: #7a5d10;
    --supported: #8cc9f0; --supported-tint: #16303f;
    --refuted: #ffab7a; --refuted-tint: #40241a;
    --unknown: #e8cd6a; --unknown-tint: #38311a;
    --unscored: #a2abb3; --unscored-tint: #262a2e;
    --flag: #eba0d6;
  }
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere; }
header, main, footer.page { max-width: 84rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0 0 .35rem; }
p, ul { margin: .35rem 0; }
ul { padding-left: 1.2rem; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.result { font-size: 1.1rem; max-width: 60rem; }
.quiet { color: var(--quiet); font-size: .875rem; font-weight: normal; }
.running { white-space: pre-wrap; background: var(--panel); border: 1px solid var(--hair);
  border-radius: 6px; padding: .9rem 1rem; }
.both { display: grid; gap: 0 1.5rem; }
@media (min-width: 60rem) {
  .both { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); align-items: start; }
  .cards { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 0 3px 1rem; }
}
.words { text-decoration-thickness: 2px; text-underline-offset: 3px;
  text-decoration-skip-ink: none; padding: .05em 0; }
.words[data-go] { cursor: pointer; }
.words.supported { background: var(--supported-tint);
  text-decoration: underline solid 1px var(--supported); }
.words.refuted { background: var(--refuted-tint); text-decoration: underline wavy var(--refuted); }
.words.unknown { background: var(--unknown-tint); text-decoration: underline dashed var(--unknown); }
.words.unscored { background: var(--unscored-tint);
  text-decoration: underline dotted var(--unscored); }
.words.flagged { box-shadow: inset 0 2px 0 var(--flag); }
.tag { font-size: .75rem; line-height: 1; vertical-align: super; text-decoration: none;
  display: inline-block; padding: .3em .35em; margin: 0 .15em; border-radius: 4px;
  border: 1px solid currentColor; background: var(--panel); white-space: nowrap;
  scroll-margin-top: 5rem; }
.tag.evidence { color: var(--quiet); }
.supported { color: var(--supported); } .refuted { color: var(--refuted); }
.unknown { color: var(--unknown); } .unscored { color: var(--unscored); }
.words.supported, .words.refuted, .words.unknown, .words.unscored { color: inherit; }
.badge { border: 1px solid currentColor; border-radius: 4px; padding: 0 .4em; font-weight: 600; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; padding: 0;
  font-size: .875rem; }
.card { background: var(--panel); border: 1px solid var(--hair); border-radius: 6px;
  padding: .75rem 1rem; margin: 0 0 .75rem; scroll-margin-top: 1rem; font-size: .95rem; }
.card:target { border-color: var(--accent); box-shadow: 0 0 0 2px var(--accent); }
.claim { font-weight: 600; }
blockquote { margin: .5rem 0; padding: .1rem 0 .1rem .75rem; border-left: 3px solid var(--hair); }
blockquote footer { font-size: .875rem; }
mark { background: var(--mark); color: inherit; }
.bar { display: block; width: 100%; height: 8px; border-radius: 4px; }
.bar rect { fill: currentColor; }
.passage { margin: .5rem 0; }
summary { cursor: pointer; }
.scroll { overflow-x: auto; margin-bottom: 1rem; }
table { border-collapse: collapse; font-size: .9rem; min-width: 40rem; overflow-wrap: normal; }
caption { text-align: left; color: var(--quiet); }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0;
  border-bottom: 1px solid var(--hair); font-weight: normal; }
thead th { color: var(--quiet); }
@media print { .cards { position: static; max-height: none; } }
`;

/** The words of the claim that is looked at, and its evidence, stand out; no script is needed. */
export function targetRules(claims: number): string {
  return Array.from({ length: claims }, (_, index) => {
    const number = index + 1;
    const looked = `body:has(#claim-${number}:target)`;
    return `${looked} .of-${number} { outline: 2px solid var(--accent); outline-offset: 1px; }\n` +
      `${looked} mark.for-${number} { background: var(--mark-hot); }`;
  }).join("\n");
}
