import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Unavailable } from "../../lib/stats/unavailable.ts";
import type { Session } from "../../lib/translation/session/session.ts";
import {
  type HistogramBin,
  type Quartiles,
  type RunSummary,
  summarise,
} from "../../lib/translation/summary.ts";
import { durationWords } from "../duration.ts";
import type { Dispatch } from "../rating/use_session.ts";
import type { Saving } from "../use_saving.ts";
import { Bars } from "./bars.tsx";

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
  return (
    <main class="summary">
      <h1 ref={heading} tabIndex={-1}>All {summary.items} sentences are rated</h1>
      <p>
        {saving.behind
          ? "Save the final file now: it holds everything you did, and nothing of it leaves this computer by itself."
          : "The final file is saved. Hand it to the research team."}
      </p>
      <div class="tools">
        <button type="button" class="primary" onClick={saving.save}>Download final file</button>
        <button type="button" onClick={() => dispatch({ kind: "back" })}>← Back to rating</button>
        <button type="button" onClick={() => mayClose(saving) && onClose()}>Close</button>
      </div>
      <p role="status">{standing(saving)}</p>
      <ScorePart scores={summary.scores} />
      <section>
        <h2>Sorted into</h2>
        <Bars title="Sorted into" bars={buckets} />
      </section>
      <TimePart summary={summary} />
    </main>
  );
}

/** What was said of an earlier checkpoint is no answer for the final file; why it failed is. */
function standing({ behind, outcome }: Saving): string {
  if (behind && outcome?.saved !== false) return "The final file is not saved yet.";
  return outcome?.words ?? "";
}

function mayClose({ behind }: Saving): boolean {
  return !behind || confirm("The final file is not saved yet. Close all the same?");
}

function ScorePart({ scores }: { readonly scores: RunSummary["scores"] }) {
  if (scores.kind === "unavailable") return null;
  const { mean, standardDeviation, quartiles, histogram } = scores;
  const deviation = typeof standardDeviation === "number" ? standardDeviation.toFixed(1) : "–";
  const bars = histogram.map((bin) => ({ label: binLabel(bin), count: bin.count }));
  return (
    <section>
      <h2>Scores</h2>
      <dl class="figures">
        <Figure name="Mean" value={mean.toFixed(1)} />
        <Figure name="Standard deviation" value={deviation} />
        <Figure name="Median" value={String(quartiles.median)} />
        <Figure
          name="Middle half of the scores"
          value={`${quartiles.lowerQuartile}–${quartiles.upperQuartile}`}
        />
        <Figure name="Range" value={`${quartiles.min}–${quartiles.max}`} />
        <Figure name="Scores" value={String(quartiles.n)} />
      </dl>
      <Bars title="Scores" bars={bars.reverse()} />
    </section>
  );
}

/** A bin by its ends, `60–69`, or by its only score. */
function binLabel({ from, to }: HistogramBin): string {
  return from === to ? String(from) : `${from}–${to}`;
}

function TimePart({ summary }: { readonly summary: RunSummary }) {
  return (
    <section>
      <h2>Time per sentence</h2>
      <dl class="figures">
        <Figure name="At work, in all" value={durationWords(summary.totalActiveSeconds)} />
        <Spread name="At work" spread={summary.activeSeconds} />
        <Spread name="From opening to Next" spread={summary.wallClockSeconds} />
      </dl>
    </section>
  );
}

function Spread({ name, spread }: {
  readonly name: string;
  readonly spread: Quartiles | Unavailable;
}) {
  if (spread.kind === "unavailable") return null;
  const { median, lowerQuartile, upperQuartile, min, max } = spread;
  return (
    <>
      <Figure name={`${name}, median`} value={durationWords(median)} />
      <Figure
        name={`${name}, middle half`}
        value={`${durationWords(lowerQuartile)} – ${durationWords(upperQuartile)}`}
      />
      <Figure name={`${name}, range`} value={`${durationWords(min)} – ${durationWords(max)}`} />
    </>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
