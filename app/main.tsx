import { render } from "preact";
import { DEFAULT_RUN_CONFIG, parseRunConfig } from "../lib/translation/configuration.ts";
import { textsOf } from "../lib/translation/texts.ts";
import { App } from "./app.tsx";
import { openAutosave } from "./storage/autosave.ts";

/** Puts the page in place, with what its HTML brings along. */
async function start(place: HTMLElement): Promise<void> {
  const text = textOf("run-config");
  const config = text ? parseRunConfig(text, "the page's run configuration") : DEFAULT_RUN_CONFIG;
  const texts = textsOf(config);
  const base64 = textOf("own-workbook");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { name = "demo.xlsx", sentences } = document.getElementById("own-workbook")?.dataset ?? {};
  const own = base64
    ? { file: new File([bytes], name), sentences: sentences ? Number(sentences) : undefined }
    : undefined;
  let warning = "";
  let draw = () => {};
  const autosave = await openAutosave((reason) => {
    warning = texts("notKept", { reason: reason && ` (${reason})` });
    draw();
  });
  draw = () => render(<App {...{ config, own, autosave, warning }} />, place);
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
