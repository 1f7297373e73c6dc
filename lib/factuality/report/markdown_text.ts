/** Others' words as they are, without meaning anything to Markdown; on one line. */
export function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim()
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll("|", "&#124;").replace(/[\\`*_{}[\]#~$!]/g, "\\$&");
}
