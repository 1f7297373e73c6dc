import { useRef, useState } from "preact/hooks";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import { nearestScore } from "../../lib/translation/rules/order.ts";
import { bucketLabel } from "../../lib/translation/rules/violations.ts";
import { textsOf } from "../../lib/translation/page_texts.ts";
import type { DifferencePart } from "../../lib/translation/text.ts";
import { directionOf, formatScore, parseScore, ratingWords } from "../formatting.ts";
import { type Desk, focusScore, rowId, scoreId, shallowMemo } from "./desk.ts";
import { problemOf, type RowView } from "./rows.ts";

/** All translations of a sentence, in display order or sorted by the rater. */
export function TranslationRows({ desk, parts }: {
  readonly desk: Desk;
  /** Every text's segments if differences are shown. */
  readonly parts: readonly (readonly DifferencePart[])[] | undefined;
}) {
  const { session: { config }, texts, rows, order, active, rowActions, readOnly } = desk;
  return (
    <div class="rows" role="grid" aria-label={texts("translations")}>
      {order.map((position) => (
        <TranslationRow
          key={position}
          {...rows[position]!}
          {...{ config, rowActions, readOnly, position }}
          tabStop={position === active}
          parts={parts?.[position]}
        />
      ))}
    </div>
  );
}

/** A row's properties; the row is rendered again only if one changed. */
interface RowProps extends RowView, Pick<Desk, "rowActions" | "readOnly"> {
  readonly config: RunConfig;
  readonly position: number;
  /** True if Tab reaches this row; Up and Down reach the others. */
  readonly tabStop: boolean;
  readonly parts: readonly DifferencePart[] | undefined;
}

/**
 * One translation as a row of a grid.
 * Inside a grid, screen readers pass on digits and arrow keys.
 */
const TranslationRow = shallowMemo((props: RowProps) => {
  const { position, text, parts, bucket, score, finished, tabStop, config, rowActions, same } =
    props;
  const texts = textsOf(config);
  const problem = problemOf(props);
  const row = rowId(position);
  // The pointer's provisional score: shown, but no score before release.
  const [held, hold] = useState<number | undefined>(undefined);
  const shown = held === undefined ? props : { ...props, score: held };
  const rating = ratingWords({ bucket, da: score }, config);
  return (
    <div
      class={`row${problem ? " faulty" : ""}${finished ? " finished" : ""}`}
      id={row}
      role="row"
      aria-label={texts("rowOf", { row: position + 1, n: config.numTranslations, rating })}
      aria-describedby={problem ? `${row}-text ${row}-problem` : `${row}-text`}
      tabIndex={tabStop ? 0 : -1}
      data-place="row"
      data-position={position}
      onFocusIn={() => rowActions.enter(position)}
    >
      <span class="number" aria-hidden="true">{position + 1}</span>
      <div role="gridcell">
        {/* A heading, so that screen readers reach the text itself, which says its language. */}
        <h3
          class="text"
          id={`${row}-text`}
          dir={directionOf(config.targetLanguage)}
          lang={config.targetLanguage}
        >
          {text.trim() === "" && <em lang={config.language} dir="ltr">{texts("empty")}</em>}
          {text.trim() !== "" && (parts ? <DifferenceText parts={parts} /> : text)}
        </h3>
        {same !== "" && <SameText {...props} />}
      </div>
      <div class="controls" role="gridcell">
        <BucketChoice {...props} />
        <ScoreSlider {...shown} hold={hold} />
        <ScoreBox {...shown} />
        <span class="fits" id={`${row}-fits`}>{fits(props)}</span>
      </div>
      {problem && <p class="problem" role="gridcell" id={`${row}-problem`}>{problem}</p>}
      {props.reference && <p class="reference" role="gridcell">{props.reference}</p>}
    </div>
  );
});

/** Names the rows with the same text. A click, or `=` in the row, copies this rating to them. */
function SameText({ position, same, config, readOnly, rowActions }: RowProps) {
  const n = same.split(", ").length;
  const label = textsOf(config)("sameAs", { row: position + 1, rows: same, n });
  return (
    <button
      type="button"
      class="same"
      data-place="elsewhere"
      aria-label={label}
      title={label}
      disabled={readOnly}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => rowActions.alike(position)}
    >
      = {same}
    </button>
  );
}

/** Text whose words are marked by rarity. The marks never rely on colour alone. */
function DifferenceText({ parts }: { readonly parts: readonly DifferencePart[] }) {
  const stretches: { text: string; rarity: number }[] = [];
  for (const { text, share } of parts) {
    // 3: none or one of eleven others has it; 2: up to a quarter; 1: up to half; 0: most have it.
    const rarity = [0.5, 0.25, 0.1].filter((it) => share <= it).length;
    const last = stretches.at(-1);
    if (last?.rarity === rarity) last.text += text;
    else stretches.push({ text, rarity });
  }
  return (
    <>
      {stretches.map(({ text, rarity }, index) =>
        rarity === 0 ? text : <mark key={index} class={`rarity-${rarity}`}>{text}</mark>
      )}
    </>
  );
}

/** Returns the fitting scores in words. They are for raters who do not see the slider's track. */
function fits({ bucket, low, high, config }: RowProps) {
  if (bucket === undefined || !config.strictOrdering) return undefined;
  const texts = textsOf(config);
  if (low === undefined || high === undefined) return texts("noneFits");
  return (
    <>
      <span class="unseen">{texts("fits")}</span>
      {low === high ? low : `${low}–${high}`}
    </>
  );
}

/** Horizontal radio buttons, one per bucket, numbered by their keys. */
function BucketChoice({ position, bucket, config, readOnly, rowActions }: RowProps) {
  const texts = textsOf(config);
  const row = position + 1;
  return (
    <div class="buckets" role="radiogroup" aria-label={texts("sortInto", { row })}>
      {config.buckets.map(({ key, label }, index) => (
        <label key={key} class="bucket">
          <input
            type="radio"
            name={`bucket-${row}`}
            data-place="bucket"
            aria-label={texts("rowBucket", { row, bucket: label })}
            checked={key === bucket}
            disabled={readOnly}
            onClick={(event) => {
              // The choice of a radio button by arrow key is a click without a pointer.
              const { pointerType } = event as Partial<PointerEvent>;
              const byMouse = pointerType === "mouse" && event.detail > 0;
              rowActions.choose(position, key, byMouse ? "mouse" : "radio");
            }}
          />
          <span>
            <kbd aria-hidden="true">{index + 1}</kbd>
            {label}
          </span>
        </label>
      ))}
    </div>
  );
}

/**
 * A slider without thumb until there is a score.
 * Its track shows the fitting scores. A pointer's action counts when it is released. A finger that
 * starts here and scrolls the page cancels the pointer and gives no score.
 */
function ScoreSlider(
  { position, score, low, high, config, readOnly, rowActions, hold }: RowProps & {
    /** Shows a provisional score; undefined removes it. */
    readonly hold: (da: number | undefined) => void;
  },
) {
  const { daMin, daMax, integerOnly } = config;
  const texts = textsOf(config);
  const pointer = useRef<"up" | "down" | "cancelled">("up");
  const scored = typeof score === "number";
  const open = low !== undefined && high !== undefined;
  const share = (da: number) => String((da - daMin) / (daMax - daMin));
  const value = scored ? score : (daMin + daMax) / 2;
  /** The value before the pointer's action, and the present one. */
  const stroke = useRef({ before: value, held: undefined as number | undefined });
  const isHeld = (da: number | undefined) => {
    stroke.current.held = da;
    hold(da);
  };
  return (
    <input
      type="range"
      class={`slider${scored ? "" : " untouched"}${open ? " open" : ""}`}
      data-place="slider"
      min={daMin}
      max={daMax}
      step={integerOnly ? 1 : "any"}
      value={value}
      disabled={readOnly}
      aria-label={texts("rowSlider", { row: position + 1 })}
      aria-valuetext={scored ? String(score) : texts("noScoreYet")}
      style={open ? { "--low": share(low), "--high": share(high) } : {}}
      onPointerDown={(event) => {
        if (readOnly || !event.isPrimary) return;
        pointer.current = "down";
        stroke.current = { before: value, held: undefined };
        // A mouse button may be released off the slider; a finger is captured by the browser.
        if (event.pointerType === "mouse") event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onInput={({ currentTarget }) => {
        const da = nearestScore(currentTarget.valueAsNumber, config);
        if (pointer.current === "cancelled") currentTarget.valueAsNumber = stroke.current.before;
        else {
          // An unchanged score causes no rendering.
          currentTarget.valueAsNumber = da;
          if (pointer.current === "down") isHeld(da);
          else rowActions.score(position, da);
        }
      }}
      onPointerUp={(event) => {
        if (pointer.current !== "down" || !event.isPrimary) return;
        pointer.current = "up";
        const { held } = stroke.current;
        isHeld(undefined);
        // A press in the very middle changes no value, so that browsers would not report it.
        const da = held ?? (scored ? undefined : scoreUnder(event, config));
        if (da !== undefined) rowActions.score(position, da, true);
      }}
      onPointerCancel={({ currentTarget }) => {
        if (pointer.current !== "down") return;
        pointer.current = "cancelled";
        isHeld(undefined);
        currentTarget.valueAsNumber = stroke.current.before;
      }}
      onKeyDown={() => pointer.current = "up"}
    />
  );
}

/** Half of the thumb's width in pixels, as in style.css. */
const HALF_THUMB = 8;

/** Returns the score at the pointer's position on the track. */
function scoreUnder({ clientX, currentTarget }: PointerEvent, config: RunConfig): number {
  const { daMin, daMax } = config;
  const { left, width } = (currentTarget as HTMLElement).getBoundingClientRect();
  const share = (clientX - left - HALF_THUMB) / (width - 2 * HALF_THUMB);
  return nearestScore(daMin + share * (daMax - daMin), config);
}

/** The number box. It shows the typed text as long as that denotes the score, else the score. */
function ScoreBox(props: RowProps) {
  const { position, bucket, score, config, readOnly, rowActions } = props;
  const [typed, setTyped] = useState("");
  const row = rowId(position);
  const label = bucket === undefined ? "" : `${bucketLabel(bucket, config)}, `;
  return (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      id={scoreId(position)}
      class="score"
      data-place="score"
      value={parseScore(typed) === score ? typed : formatScore(score)}
      readOnly={readOnly}
      aria-label={textsOf(config)("rowScore", { row: position + 1, bucket: label })}
      aria-invalid={props.scoreAtFault}
      aria-describedby={problemOf(props) ? `${row}-problem ${row}-fits` : `${row}-fits`}
      onInput={({ currentTarget: { value } }) => {
        setTyped(value);
        rowActions.score(position, parseScore(value));
      }}
      onBlur={() => setTyped("")}
      // The first click selects what is there, so that typing replaces it; a second sets the cursor.
      onMouseDown={(event) => {
        if (document.activeElement === event.currentTarget) return;
        event.preventDefault();
        focusScore(position);
      }}
    />
  );
}
