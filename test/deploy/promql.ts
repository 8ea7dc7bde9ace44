import type { Series } from './exposition.ts';

/** A metric as an expression selects it. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

/** What is added where metrics are scraped. */
const SCRAPED = ['job', 'instance'];

const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;
const WORDS = new Set(['and', 'or', 'unless']);

export function selectorsIn(expression: string): Selector[] {
  const plain = expression
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|on|without)\s*\([^)]*\)/g, '')
    .replace(/\b\w+\s*(?=\()/g, (word) => (WORDS.has(word.trim()) ? word : ''));
  return Array.from(plain.matchAll(/\b([a-z_]\w*)\b(?:\{([^}]*)\})?/gi), ([, metric = '', braces = '']) => ({
    metric,
    matchers: Array.from(braces.matchAll(MATCHER), ([, label = '', operator = '', value = '']) => ({
      label,
      operator,
      value,
    })),
  })).filter(({ metric }) => !WORDS.has(metric));
}

/** The labels that an expression keeps. */
export function groupingsIn(expression: string): string[] {
  return Array.from(expression.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g), ([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  ).flat();
}

export function isSelectedBy({ metric, matchers }: Selector, { name, labels }: Series): boolean {
  return (
    name === metric &&
    matchers.every(({ label, operator, value }) => {
      if (SCRAPED.includes(label)) return true;
      const actual = labels.get(label);
      if (actual === undefined) return false;
      const isEqual = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
      return isEqual !== operator.startsWith('!');
    })
  );
}

/** What an expression names that is not among these series: selectors that select nothing, and unknown labels. */
export function missingFrom(series: readonly Series[], expression: string): string[] {
  const selectors = selectorsIn(expression);
  const selected = selectors.map((selector) => series.filter((each) => isSelectedBy(selector, each)));
  const labels = new Set([...SCRAPED, ...selected.flat().flatMap(({ labels }) => [...labels.keys()])]);
  return [
    ...selectors
      .filter((_, index) => selected[index]?.length === 0)
      .map((selector) => JSON.stringify(selector)),
    ...groupingsIn(expression).filter((label) => !labels.has(label)),
  ];
}
