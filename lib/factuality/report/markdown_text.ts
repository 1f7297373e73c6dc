/** Marks that turn the direction of whatever follows them, until they are closed. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Others' words as they are, without meaning anything to Markdown; on one line. */
export function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim()
    .replace(/\p{Cc}/gu, "\ufffd").replace(TURNING, "").toWellFormed()
    .replace(/[\\`*_{}[\]#~$!]/g, "\\$&")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll("|", "&#124;");
}
