import type { DifferencePart } from "../../lib/translation/difference.ts";
import { bucketLabel } from "../../lib/translation/rating/wording.ts";
import type { RunConfig } from "../../lib/translation/run_config.ts";
import { shallowMemo } from "../shallow_memo.ts";
import { BucketChoice } from "./bucket_choice.tsx";
import { DifferenceText } from "./difference_text.tsx";
import { directionOf } from "./direction.ts";
import { rowId } from "./places.ts";
import { ratingWords } from "./rating_words.ts";
import { problemOf, type RowView } from "./rows.ts";
import { ScoreBox } from "./score_box.tsx";
import { ScoreSlider } from "./score_slider.tsx";

/** What the rater does in a row, by its display position. */
export interface RowDeeds {
  readonly choose: (position: number, bucket: string, byMouse: boolean) => void;
  readonly score: (position: number, da: number | string | undefined) => void;
  readonly enter: (position: number) => void;
}

/** A row's own values, so that a row is drawn again only if one of them changed. */
export interface RowProps extends RowView {
  readonly position: number;
  readonly config: RunConfig;
  readonly deeds: RowDeeds;
  readonly readOnly: boolean;
  /** Whether Tab reaches this row: it does one row at a time, Up and Down the others. */
  readonly tabStop: boolean;
  /** The text's parts where differences are shown. */
  readonly parts: readonly DifferencePart[] | undefined;
}

/**
 * One translation: its text, its bucket, its score and what is wrong with them. It is the row of a
 * grid, so that a screen reader hands it the digits and arrow keys while it has the focus.
 */
export const TranslationRow = shallowMemo((props: RowProps) => {
  const { position, bucket, score, finished, tabStop, config, deeds } = props;
  const problem = problemOf(props);
  const row = rowId(position);
  return (
    <div
      class={`row${problem ? " faulty" : ""}${finished ? " finished" : ""}`}
      id={row}
      role="row"
      aria-label={`Row ${position + 1} of ${config.numTranslations}, ${
        ratingWords({ bucket, da: score }, config)
      }`}
      aria-describedby={problem ? `${row}-text ${row}-problem` : `${row}-text`}
      tabIndex={tabStop ? 0 : -1}
      data-place="row"
      data-position={position}
      onFocusIn={() => deeds.enter(position)}
    >
      <span class="number" aria-hidden="true">{position + 1}</span>
      <RowText {...props} />
      <RowControls {...props} />
      {problem && <p class="problem" role="gridcell" id={`${row}-problem`}>{problem}</p>}
    </div>
  );
});

/** A heading, so that screen readers reach the text itself, which says its language. */
function RowText({ position, text, parts, config: { targetLanguage } }: RowProps) {
  return (
    <div role="gridcell">
      <h3
        class="text"
        id={`${rowId(position)}-text`}
        dir={directionOf(targetLanguage)}
        lang={targetLanguage}
      >
        {text.trim() === ""
          ? <em lang="en">This translation is empty.</em>
          : parts
          ? <DifferenceText parts={parts} />
          : text}
      </h3>
    </div>
  );
}

function RowControls(props: RowProps) {
  const { position, bucket, score, low, high, config, readOnly, deeds } = props;
  const row = rowId(position);
  const onScore = (da: number | string | undefined) => deeds.score(position, da);
  return (
    <div class="controls" role="gridcell">
      <BucketChoice
        position={position}
        buckets={config.buckets}
        chosen={bucket}
        readOnly={readOnly}
        onChoose={(key, byMouse) => deeds.choose(position, key, byMouse)}
      />
      <ScoreSlider {...{ position, score, low, high, config, readOnly, onScore }} />
      <ScoreBox
        {...{ position, score, readOnly, onScore }}
        bucket={bucket === undefined ? undefined : bucketLabel(bucket, config)}
        problemId={problemOf(props) ? `${row}-problem` : undefined}
        atFault={props.scoreAtFault}
        describedBy={`${row}-fits`}
      />
      <span class="fits" id={`${row}-fits`}>{fits(props)}</span>
    </div>
  );
}

/** The scores that fit, in words only for those who do not see the slider's track. */
function fits({ bucket, low, high, config }: RowProps) {
  if (bucket === undefined || !config.strictOrdering) return undefined;
  if (low === undefined || high === undefined) return "no score fits";
  return (
    <>
      <span class="unseen">fits:</span>
      {low === high ? low : `${low}–${high}`}
    </>
  );
}
