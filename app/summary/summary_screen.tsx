import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Unavailable } from "../../lib/stats/agreement.ts";
import type { Session } from "../../lib/translation/session/session.ts";
import { type Quartiles, summarise } from "../../lib/translation/session/summary.ts";
import { type Texts, textsOf } from "../../lib/translation/page_texts.ts";
import type { Dispatch } from "../rating/desk.ts";
import type { Saving } from "../storage/saving.ts";
import { durationWords } from "../formatting.ts";

/** Summary of a run over all translations together. It reveals no single translation. */
export function SummaryScreen({ session, dispatch, saving, onClose }: {
  readonly session: Session;
  readonly dispatch: Dispatch;
  readonly saving: Saving;
  readonly onClose: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { workbook, config } = session;
  const texts = textsOf(config);
  const summary = useMemo(() => summarise(workbook, config), [workbook, config]);
  const buckets = summary.buckets.map(({ bucket, count }) => ({ label: bucket.label, count }));
  const { behind, outcome, save } = saving;
  const close = () => {
    if (!behind || confirm(texts("closeAnyway"))) onClose();
  };
  return (
    <main class="summary">
      <h1 ref={heading} tabIndex={-1}>{texts("allSentencesRated", { n: summary.items })}</h1>
      <p>{texts(behind ? "saveFinal" : "finalSaved")}</p>
      <div class="tools">
        <button type="button" class="primary" onClick={save}>{texts("downloadFinal")}</button>
        <button type="button" onClick={() => dispatch({ kind: "back" })}>
          ← {texts("backToRating")}
        </button>
        <button type="button" onClick={close}>{texts("close")}</button>
      </div>
      {/* What was said of an earlier checkpoint is no answer for the final file; a failure is. */}
      <p role="status">
        {behind && outcome?.saved !== false ? texts("finalUnsaved") : outcome?.words}
      </p>
      <ScorePart scores={summary.scores} texts={texts} />
      <section>
        <h2>{texts("sortedInto")}</h2>
        <Bars title={texts("sortedInto")} bars={buckets} />
      </section>
      <section>
        <h2>{texts("timePerSentence")}</h2>
        <Figures
          figures={[
            [texts("atWorkAll"), durationWords(summary.totalActiveSeconds)],
            ...spread(texts("atWork"), summary.activeSeconds, texts),
            ...spread(texts("openingToNext"), summary.wallClockSeconds, texts),
          ]}
        />
      </section>
    </main>
  );
}

function ScorePart({ scores, texts }: Pick<ReturnType<typeof summarise>, "scores"> & {
  readonly texts: Texts;
}) {
  if (scores.kind === "unavailable") return null;
  const { mean, standardDeviation: deviation, quartiles, histogram } = scores;
  // A bin by its ends, `60–69`, or by its only score.
  const bars = histogram.map(({ from, to, count }) => {
    return { label: from === to ? plain(from) : `${plain(from)}–${plain(to)}`, count };
  });
  return (
    <section>
      <h2>{texts("scores")}</h2>
      <Figures
        figures={[
          [texts("mean"), mean.toFixed(1)],
          [texts("deviation"), typeof deviation === "number" ? deviation.toFixed(1) : "–"],
          [texts("median"), plain(quartiles.median)],
          [
            texts("middleHalf"),
            `${plain(quartiles.lowerQuartile)}–${plain(quartiles.upperQuartile)}`,
          ],
          [texts("range"), `${quartiles.min}–${quartiles.max}`],
          [texts("scores"), String(quartiles.n)],
        ]}
      />
      <Bars title={texts("scores")} bars={bars.reverse()} />
    </section>
  );
}

/** Formats a number with twelve digits, which hides rounding errors of binary fractions. */
const plain = (value: number) => String(Number(value.toPrecision(12)));

type NamedFigure = readonly [name: string, value: string];

function spread(
  name: string,
  spread: Quartiles | Unavailable,
  texts: Texts,
): readonly NamedFigure[] {
  if (spread.kind === "unavailable") return [];
  const range = (low: number, high: number) => `${durationWords(low)} – ${durationWords(high)}`;
  return [
    [texts("spreadMedian", { name }), durationWords(spread.median)],
    [texts("spreadMiddle", { name }), range(spread.lowerQuartile, spread.upperQuartile)],
    [texts("spreadRange", { name }), range(spread.min, spread.max)],
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

/** Horizontal bars with counts and shares. */
function Bars({ title, bars }: {
  readonly title: string;
  readonly bars: readonly { readonly label: string; readonly count: number }[];
}) {
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const percent = (count: number) => total === 0 ? "0" : (100 * count / total).toFixed(1);
  const shares = bars.map(({ count }) => `${count} (${percent(count)} %)`);
  const spoken = bars.map(({ label }, index) => `${label}: ${shares[index]}`).join("; ");
  return (
    <div class="bars" role="img" aria-label={`${title}. ${spoken}.`}>
      {bars.map(({ label, count }, index) => (
        <div key={label}>
          <span class="bar-label">{label}</span>
          <span class="bar" style={{ width: `${50 * count / most}%` }} />
          <span>{shares[index]}</span>
        </div>
      ))}
    </div>
  );
}
