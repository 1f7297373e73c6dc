import { render } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import {
  DEFAULT_RUN_CONFIG,
  parseRunConfig,
  type RunConfig,
} from "../lib/translation/configuration.ts";
import { openSession } from "../lib/translation/session/session.ts";
import { textsOf } from "../lib/translation/page_texts.ts";
import { clockNow, useSession } from "./rating/desk.ts";
import { RatingScreen } from "./rating/rating_screen.tsx";
import { type ChosenRun, type EmbeddedWorkbook, StartScreen } from "./start/start_screen.tsx";
import { type Autosave, claimRun, openAutosave } from "./storage/autosave.ts";
import { type OpenedRun, useSaving } from "./storage/saving.ts";
import { SummaryScreen } from "./summary/summary_screen.tsx";

/** Mounts the page with the data embedded in its HTML. */
async function start(place: HTMLElement): Promise<void> {
  const text = textOf("run-config");
  const config = text ? parseRunConfig(text, "the page's run configuration") : DEFAULT_RUN_CONFIG;
  const texts = textsOf(config);
  const base64 = textOf("own-workbook");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { name = "demo.xlsx", sentences } = document.getElementById("own-workbook")?.dataset ?? {};
  const embedded = base64
    ? { file: new File([bytes], name), sentences: sentences ? Number(sentences) : undefined }
    : undefined;
  let warning = "";
  let draw = () => {};
  const autosave = await openAutosave((reason) => {
    warning = texts("notKept", { reason: reason && ` (${reason})` });
    draw();
  });
  draw = () => render(<App {...{ config, embedded, autosave, warning }} />, place);
  draw();
}

function textOf(id: string): string {
  return document.getElementById(id)?.textContent?.trim() ?? "";
}

const place = document.getElementById("app");
if (place) {
  start(place).catch((error) => {
    place.textContent = `This page cannot start. ${
      error instanceof Error ? error.message : String(error)
    }`;
  });
}

/** The page: start screen, rating screen, summary. */
function App({ config, embedded, autosave, warning }: {
  readonly config: RunConfig;
  readonly embedded: EmbeddedWorkbook | undefined;
  readonly autosave: Autosave;
  /** Warning about this browser; empty for none. */
  readonly warning: string;
}) {
  const [run, setRun] = useState<OpenedRun>();
  const [isBack, setBack] = useState(false);
  const open = async (chosen: ChosenRun) => setRun(await claimed(chosen, autosave));
  return (
    <>
      {warning && <p class="banner" role="alert">{warning}</p>}
      {run
        ? (
          <Run
            key={run.workbook.runId}
            {...{ run, autosave }}
            onClose={() => {
              setBack(true);
              setRun(undefined);
            }}
          />
        )
        : <StartScreen {...{ config, embedded, autosave, isBack }} onOpen={open} />}
    </>
  );
}

/** Claims a run, then reads the browser's copy again. No other tab can now change it. */
async function claimed(chosen: ChosenRun, autosave: Autosave): Promise<OpenedRun> {
  const { runId } = chosen.workbook;
  const readOnly = await claimRun(runId) === "reader";
  const saved = chosen.recovered ? await autosave.find(runId) : undefined;
  return { ...chosen, workbook: saved?.workbook ?? chosen.workbook, readOnly };
}

function Run({ run, autosave, onClose }: {
  readonly run: OpenedRun;
  readonly autosave: Autosave;
  readonly onClose: () => void;
}) {
  const opened = useMemo(() => openSession(run.workbook, run.config, clockNow()), [run]);
  const [session, dispatch] = useSession(opened, run.readOnly);
  const saving = useSaving(session, run);
  const { workbook, current } = session;
  const { runId, configSha256 } = workbook;
  const texts = textsOf(run.config);
  // Before it is painted: a crash a moment later cannot lose a change.
  useLayoutEffect(() => {
    if (run.readOnly) return;
    const [savedAt, { fileName }] = [new Date().toISOString(), run];
    autosave.save({ runId, configSha256, savedAt, fileName, workbook, current });
  }, [workbook, current]);
  useEffect(() => {
    const n = workbook.items.length;
    document.title = session.finished
      ? texts("allSentencesRated", { n })
      : texts("sentenceOf", { number: current + 1, n });
    // The settings file may be of another language than the page.
    document.documentElement.lang = run.config.language;
  }, [current, session.finished]);
  if (session.finished) return <SummaryScreen {...{ session, dispatch, saving, onClose }} />;
  return <RatingScreen {...{ session, dispatch, saving }} readOnly={run.readOnly} />;
}
