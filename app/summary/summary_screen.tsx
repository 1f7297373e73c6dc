import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Unavailable } from "../../lib/stats/agreement.ts";
import type { Session } from "../../lib/translation/session/session.ts";
import { type Quartiles, summarise } from "../../lib/translation/session/summary.ts";
import type { Dispatch } from "../rating/use_session.ts";
import type { Saving } from "../use_saving.ts";
import { durationWords } from "../words.ts";

/** The end of a run, over all translations together: nothing here tells one from another. */
export function SummaryScreen({ session, dispatch, saving, onClose }: {
  readonly session: Session;
  readonly dispatch: Dispatch;
  readonly saving: Saving;
  readonly onClose: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { workbook, config } = session;
  const summary = useMemo(() => summarise(workbook, config), [workbook, config]);
  const buckets = summary.buckets.map(({ bucket, count }) => ({ label: bucket.label, count }));
  const { behind, outcome, save } = saving;
  const unsaved = "The final file is not saved yet.";
  const close = () => {
    if (!behind || confirm(`${unsaved} Close all the same?`)) onClose();
  };
  return (
    <main class="summary">
      <h1 ref={heading} tabIndex={-1}>All {summary.items} sentences are rated</h1>
      <p>
        {behind
          ? "Save the final file now: it holds everything you did, and nothing of it leaves this computer by itself."
          : "The final file is saved. Hand it to the research team."}
      </p>
      <div class="tools">
        <button type="button" class="primary" onClick={save}>Download final file</button>
        <button type="button" onClick={() => dispatch({ kind: "back" })}>← Back to rating</button>
        <button type="button" onClick={close}>Close</button>
      </div>
      {/* What was said of an earlier checkpoint is no answer for the final file; a failure is. */}
      <p role="status">{behind && outcome?.saved !== false ? unsaved : outcome?.words}</p>
      <ScorePart scores={summary.scores} />
      <section>
        <h2>Sorted into</h2>
        <Bars title="Sorted into" bars={buckets} />
      </section>
      <section>
        <h2>Time per sentence</h2>
        <Figures
          figures={[
            ["At work, in all", durationWords(summary.totalActiveSeconds)],
            ...spread("At work", summary.activeSeconds),
            ...spread("From opening to Next", summary.wallClockSeconds),
          ]}
        />
      </section>
    </main>
  );
}

function ScorePart({ scores }: Pick<ReturnType<typeof summarise>, "scores">) {
  if (scores.kind === "unavailable") return null;
  const { mean, standardDeviation: deviation, quartiles, histogram } = scores;
  // A bin by its ends, `60–69`, or by its only score.
  const bars = histogram.map(({ from, to, count }) => {
    return { label: from === to ? `${from}` : `${from}–${to}`, count };
  });
  return (
    <section>
      <h2>Scores</h2>
      <Figures
        figures={[
          ["Mean", mean.toFixed(1)],
          ["Standard deviation", typeof deviation === "number" ? deviation.toFixed(1) : "–"],
          ["Median", String(quartiles.median)],
          ["Middle half of the scores", `${quartiles.lowerQuartile}–${quartiles.upperQuartile}`],
          ["Range", `${quartiles.min}–${quartiles.max}`],
          ["Scores", String(quartiles.n)],
        ]}
      />
      <Bars title="Scores" bars={bars.reverse()} />
    </section>
  );
}

type NamedFigure = readonly [name: string, value: string];

function spread(name: string, found: Quartiles | Unavailable): readonly NamedFigure[] {
  if (found.kind === "unavailable") return [];
  const range = (low: number, high: number) => `${durationWords(low)} – ${durationWords(high)}`;
  return [
    [`${name}, median`, durationWords(found.median)],
    [`${name}, middle half`, range(found.lowerQuartile, found.upperQuartile)],
    [`${name}, range`, range(found.min, found.max)],
  ];
}

function Figures({ figures }: { readonly figures: readonly NamedFigure[] }) {
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** In units of the drawing, of which a text is 13 high: the longest bar, a value, a bar with its gap. */
const [ROOM, VALUE_WIDTH, GAP, STEP, THICKNESS] = [316, 92, 10, 26, 16];
/** A wide Latin letter, half of a Chinese one. */
const LETTER_WIDTH = 8;
/** Pixels for a unit where the screen has room: the same in all charts, so that texts are too. */
const SCALE = 1.25;
/** Letters that a label shows at most; it is said in full. */
const MOST_LETTERS = 32;

/** Horizontal bars with their counts and shares. */
function Bars({ title, bars }: {
  readonly title: string;
  readonly bars: readonly { readonly label: string; readonly count: number }[];
}) {
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const labels = bars.map(({ label }) => {
    const letters = [...label];
    return letters.length > MOST_LETTERS
      ? `${letters.slice(0, MOST_LETTERS - 1).join("")}…`
      : label;
  });
  const labelWidth = GAP + LETTER_WIDTH * Math.max(5, ...labels.map(lettersOf));
  const width = labelWidth + ROOM + VALUE_WIDTH;
  const percent = (count: number) => total === 0 ? "0" : (100 * count / total).toFixed(1);
  const shares = bars.map(({ count }) => `${count} (${percent(count)} %)`);
  const spoken = bars.map(({ label }, index) => `${label}: ${shares[index]}`).join("; ");
  return (
    <svg
      class="bars"
      role="img"
      aria-label={`${title}. ${spoken}.`}
      viewBox={`0 0 ${width} ${bars.length * STEP}`}
      width={SCALE * width}
    >
      {bars.map(({ label, count }, index) => {
        const middle = index * STEP + STEP / 2;
        const length = ROOM * count / most;
        const top = middle - THICKNESS / 2;
        return (
          <g key={label}>
            <text class="bar-label" x={labelWidth - GAP} y={middle}>{labels[index]}</text>
            <rect x={labelWidth} y={top} width={length} height={THICKNESS} rx={2} />
            <text x={labelWidth + length + 8} y={middle}>{shares[index]}</text>
          </g>
        );
      })}
    </svg>
  );
}

/** How wide a label is, counted in Latin letters. */
function lettersOf(label: string): number {
  return [...label].reduce((sum, letter) => sum + (letter >= "\u1100" ? 2 : 1), 0);
}
