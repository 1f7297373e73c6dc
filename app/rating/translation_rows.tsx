import type { DifferencePart } from "../../lib/translation/difference.ts";
import type { RunConfig } from "../../lib/translation/run_config.ts";
import type { RowView } from "./rows.ts";
import { type RowDeeds, TranslationRow } from "./translation_row.tsx";

/** All translations of a sentence in display order. */
export function TranslationRows({ rows, config, deeds, readOnly, active, parts }: {
  readonly rows: readonly RowView[];
  readonly config: RunConfig;
  readonly deeds: RowDeeds;
  readonly readOnly: boolean;
  /** Position of the row in hand. */
  readonly active: number;
  readonly parts: readonly (readonly DifferencePart[])[] | undefined;
}) {
  return (
    <div class="rows" role="grid" aria-label="Translations">
      {rows.map((row, position) => (
        <TranslationRow
          key={position}
          {...row}
          {...{ position, config, deeds, readOnly }}
          tabStop={position === active}
          parts={parts?.[position]}
        />
      ))}
    </div>
  );
}
