import { render } from "preact";
import { DEFAULT_RUN_CONFIG, parseRunConfig } from "../lib/translation/configuration.ts";
import { App } from "./app.tsx";
import { openAutosave } from "./storage/autosave.ts";

/** Puts the page in place, with what its HTML brings along. */
async function start(place: HTMLElement): Promise<void> {
  const config = configIn(textOf("run-config"));
  const demo = demoIn(textOf("demo-workbook"));
  let warning = "";
  let draw = () => {};
  const autosave = await openAutosave((message) => {
    warning = message;
    draw();
  });
  draw = () => render(<App {...{ config, demo, autosave, warning }} />, place);
  draw();
}

function textOf(id: string): string {
  return document.getElementById(id)?.textContent?.trim() ?? "";
}

function configIn(text: string) {
  return text === "" ? DEFAULT_RUN_CONFIG : parseRunConfig(text, "the page's run configuration");
}

/** The demo workbook from its base64 text; undefined where the page has none. */
function demoIn(base64: string): File | undefined {
  if (base64 === "") return undefined;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new File([bytes], "demo.xlsx");
}

const place = document.getElementById("app");
if (place) {
  start(place).catch((error) => {
    place.textContent = `This page cannot start. ${
      error instanceof Error ? error.message : String(error)
    }`;
  });
}
