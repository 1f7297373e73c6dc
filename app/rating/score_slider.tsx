import type { RunConfig } from "../../lib/translation/run_config.ts";

/**
 * A slider without a thumb until there is a score, so that no position suggests one. The scores
 * that fit the bucket are painted on the track.
 */
export function ScoreSlider({ position, score, low, high, config, readOnly, onScore }: {
  readonly position: number;
  readonly score: number | string | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly config: RunConfig;
  readonly readOnly: boolean;
  readonly onScore: (da: number) => void;
}) {
  const { daMin, daMax, integerOnly } = config;
  const scored = typeof score === "number";
  const open = low !== undefined && high !== undefined;
  const share = (da: number) => String((da - daMin) / (daMax - daMin));
  return (
    <input
      type="range"
      class={`slider${scored ? "" : " untouched"}${open ? " open" : ""}`}
      data-place="slider"
      min={daMin}
      max={daMax}
      step={integerOnly ? 1 : "any"}
      value={scored ? score : (daMin + daMax) / 2}
      disabled={readOnly}
      aria-label={`Row ${position + 1}, score slider`}
      aria-valuetext={scored ? String(score) : "no score yet"}
      style={open ? { "--low": share(low), "--high": share(high) } : {}}
      onPointerDown={(event) => {
        if (!scored && !readOnly) onScore(scoreUnder(event, config));
      }}
      onInput={(event) => onScore(event.currentTarget.valueAsNumber)}
    />
  );
}

/** Half of the thumb's width in pixels: it never leaves the track. Also in style.css. */
const HALF_THUMB = 8;

/** A first press in the very middle changes no value, so browsers would not report it. */
function scoreUnder(
  { clientX, currentTarget }: PointerEvent,
  { daMin, daMax, integerOnly }: RunConfig,
): number {
  const { left, width } = (currentTarget as HTMLElement).getBoundingClientRect();
  const share = (clientX - left - HALF_THUMB) / (width - 2 * HALF_THUMB);
  const da = daMin + Math.min(1, Math.max(0, share)) * (daMax - daMin);
  return integerOnly ? Math.round(da) : da;
}
