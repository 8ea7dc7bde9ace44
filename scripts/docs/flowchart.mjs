// @ts-check
import { escapeHtml } from './html.mjs';

/** `name`, `name["label"]`, `name(["label"])` or `name{"label"}`. */
const NODE = String.raw`(\w+)(?:(?:\(\[|\[|\{)"([^"]+)"(?:\]\)|\]|\}))?`;
/** `-->`, `-- text -->` or `-. text .->`. */
const ARROW = String.raw`(?:-->|-- "?([^"]+?)"? -->|-\. "?([^"]+?)"? \.->)`;
const EDGE = new RegExp(`^${NODE} ${ARROW} ${NODE}$`);

/**
 * A Mermaid flowchart as a list of its arrows, readable without a script. A box is described where it first appears,
 * and named by its first line from then on.
 * @param {string} source
 */
export function flowchartList(source) {
  const [kind = '', ...lines] = source.trim().split('\n');
  if (!kind.startsWith('flowchart ')) throw new Error(`Only flowcharts can be rendered, not: ${kind}`);
  /** @type {Map<string, string>} */
  const names = new Map();
  /** @type {(id?: string, label?: string) => string} */
  const box = (id = '', label) => {
    if (label === undefined) return `<b>${escapeHtml(names.get(id) ?? id)}</b>`;
    const [name = '', ...rest] = label.split('<br>');
    names.set(id, name);
    return `<b>${escapeHtml(name)}</b>${rest.map((line) => ` (${escapeHtml(line)})`).join('')}`;
  };
  const arrows = lines.filter((line) => !line.trim().startsWith('%%'));
  const items = arrows.map((line) => {
    const match = EDGE.exec(line.trim());
    if (match === null) throw new Error(`This line of a flowchart cannot be rendered: ${line.trim()}`);
    const [, from, fromLabel, text, dottedText, to, toLabel] = match;
    const start = box(from, fromLabel);
    const condition = text ?? dottedText;
    const words = condition === undefined ? '' : `<i>${escapeHtml(condition)}</i> → `;
    return `<li>${start} → ${words}${box(to, toLabel)}</li>`;
  });
  return `<ol class="flowchart">\n${items.join('\n')}\n</ol>\n`;
}
