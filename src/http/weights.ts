/** One item of a header such as `Accept` or `Accept-Encoding`. */
export interface Range {
  readonly name: string;
  /** From 0, which refuses it, to 1. */
  readonly weight: number;
  readonly position: number;
}

/** No client names nearly as many; a header of nothing but commas would take a millisecond to read. */
const MOST_RANGES = 100;
const MOST_PARAMETERS = 10;

/** Reads `a, b;q=0.5` as a with a weight of 1, b with 0.5. What is named twice counts as where it weighs most. */
export function ranges(header = ''): readonly Range[] {
  const read: Range[] = [];
  for (const [position, item] of header.split(',', MOST_RANGES).entries()) {
    const [name = '', ...parameters] = item
      .split(';', MOST_PARAMETERS)
      .map((part) => part.trim().toLowerCase());
    if (name !== '') read.push({ name, weight: qualityIn(parameters), position });
  }
  return read.sort((one, other) => other.weight - one.weight);
}

/** Nothing that covers it: not acceptable. */
export function weightFor(range: Range | undefined): number {
  return range?.weight ?? 0;
}

/** A weight that is none, as of `q=high`, is left out of account. */
function qualityIn(parameters: readonly string[]): number {
  const [, quality] =
    parameters.map((parameter) => /^q\s*=\s*([01](\.\d*)?)$/.exec(parameter)).find(Boolean) ?? [];
  return quality === undefined ? 1 : Math.min(1, Number(quality));
}

/** Clients use one header or few, so the last answer is known. */
export function lastKnown<T>(read: (header: string | undefined) => T): (header?: string) => T {
  let last: { readonly header: string | undefined; readonly answer: T } | undefined;
  return (header) => {
    if (last === undefined || last.header !== header) last = { header, answer: read(header) };
    return last.answer;
  };
}
