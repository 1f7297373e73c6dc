import { marked } from "marked";
import { useMemo } from "preact/hooks";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import { textsOf } from "../../lib/translation/texts.ts";
import { directionOf } from "../words.ts";

// Markup in the Markdown is shown as it is written: what a configuration says is no program.
marked.use({
  renderer: {
    html: ({ text }) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
    // Below the page's own headings.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 2, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
  },
});

/** What the research team tells its raters, in the page's language or else the first there is. */
export function Instructions({ config }: { readonly config: RunConfig }) {
  const { instructions, language } = config;
  const tag = [language, "und", ...Object.keys(instructions)].find((it) => instructions[it]);
  const markdown = tag && instructions[tag];
  const html = useMemo(() => markdown && marked.parse(markdown, { async: false }), [markdown]);
  if (!html) return null;
  return (
    <section class="card" aria-labelledby="instructions-title">
      <h2 id="instructions-title">{textsOf(config)("instructions")}</h2>
      <div
        class="told"
        lang={tag}
        dir={directionOf(tag)}
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </section>
  );
}
