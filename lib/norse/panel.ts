import { type Panel, parsePanel } from "../models/panel.ts";
import { NORSE_PATHS } from "./paths.ts";

/** The models that run without a key. @throws SyntaxError naming every field that is wrong. */
export function readPanel(path: string = NORSE_PATHS.panel): Panel {
  return parsePanel(Deno.readTextFileSync(path), path);
}
