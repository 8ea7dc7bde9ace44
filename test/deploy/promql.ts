export interface Series {
  /** A histogram's name ends in `_bucket`, `_sum` or `_count`. */
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
}

const SCRAPED = ['job', 'instance'];
const WORDS = ['and', 'or', 'unless'];

/** Returns selectors that match none of these series, and unknown labels. */
export function missingFrom(series: readonly Series[], expression: string): string[] {
  const groupings = Array.from(expression.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g), ([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  ).flat();
  const plain = expression
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|on|without)\s*\([^)]*\)/g, '')
    .replace(/\b\w+\s*(?=\()/g, (word) => (WORDS.includes(word.trim()) ? word : ''));
  const selectors = [...plain.matchAll(/\b([a-z_]\w*)\b(?:\{([^}]*)\})?/gi)]
    .map(([text, metric = '', braces = '']) => ({ text, metric, braces }))
    .filter(({ metric }) => !WORDS.includes(metric));
  const selected = selectors.map(({ metric, braces }) =>
    series.filter(({ name, labels }) => name === metric && matches(braces, labels)),
  );
  const labels = [...SCRAPED, ...selected.flat().flatMap((each) => [...each.labels.keys()])];
  const missing = selectors.filter((_, index) => selected[index]?.length === 0).map(({ text }) => text);
  return [...missing, ...groupings.filter((label) => !labels.includes(label))];
}

function matches(braces: string, labels: Series['labels']): boolean {
  const matchers = [...braces.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)];
  return matchers.every(([, label = '', operator = '', value = '']) => {
    if (SCRAPED.includes(label)) return true;
    const actual = labels.get(label);
    if (actual === undefined) return false;
    const isEqual = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
    return isEqual !== operator.startsWith('!');
  });
}
