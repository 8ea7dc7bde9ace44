export const RESPONSE_JSON = 'application/graphql-response+json';
export const JSON_TYPE = 'application/json';

/** Of the types that GraphQL over HTTP knows, the one that the caller prefers; undefined where it takes none. */
export const negotiate: (accept?: string) => string | undefined = memoizeLast((accept) => {
  const accepted = ranges(accept);
  // A client that accepts nothing in particular accepts anything.
  if (accepted.length === 0) return JSON_TYPE;
  const json = matching(accepted, JSON_TYPE);
  const response = matching(accepted, RESPONSE_JSON);
  if (weightFor(json) === 0 && weightFor(response) === 0) return undefined;
  return isPreferred(response, json) ? RESPONSE_JSON : JSON_TYPE;
});

/** Apollo Client shows the code of a 4xx only in the type of GraphQL, and tries a 5xx again only in any other. */
export function typeFor(status: number, negotiated: string | undefined): string {
  return (status < 500 && negotiated) || JSON_TYPE;
}

/** By weight; where that is equal, by what is named first. */
function isPreferred(one: Range | undefined, other: Range | undefined): boolean {
  const difference = weightFor(one) - weightFor(other);
  if (difference !== 0 || !one || !other) return difference > 0;
  return one.position < other.position;
}

/** The range that decides on a type: the most specific that covers it. */
function matching(accepted: readonly Range[], type: string): Range | undefined {
  const whole = `${type.slice(0, type.indexOf('/'))}/*`;
  for (const name of [type, whole, '*/*']) {
    const range = accepted.find((candidate) => candidate.name === name);
    if (range) return range;
  }
  return undefined;
}

/** A browser names HTML and none of the others; other clients do the reverse, or take whatever comes. */
export function prefersHtml(accept: string | undefined, others: readonly string[]): boolean {
  const accepted = ranges(accept);
  const weight = (type: string) => weightFor(accepted.find(({ name }) => name === type));
  return weight('text/html') > Math.max(...others.map(weight));
}

/** What a client accepts of the encodings there are. */
export interface EncodingPreference<Encoding> {
  /** Undefined where the body goes out as it is. */
  readonly encoding: Encoding | undefined;
  /** Whether the body as it is was refused, so that even a short one is better encoded. */
  readonly refusesIdentity: boolean;
}

/**
 * The encoding that a client prefers; where it likes several the same, the first of `available`. A body as it is stays
 * possible whatever the header says: a client that refuses everything gets that rather than nothing.
 */
export function preferredEncoding<Encoding extends string>(
  acceptEncoding: string | undefined,
  available: readonly Encoding[],
): EncodingPreference<Encoding> {
  const accepted = ranges(acceptEncoding);
  const weightOf = (name: string) => accepted.find((range) => range.name === name)?.weight;
  const others = weightOf('*');
  const identity = weightOf('identity');
  let encoding: Encoding | undefined;
  // Where it is not named, it is what is taken last.
  let best = identity ?? 0;
  for (const candidate of available) {
    const weight = weightOf(candidate) ?? weightOf(`x-${candidate}`) ?? others ?? 0;
    if (weight > best || (weight === best && weight > 0 && encoding === undefined)) {
      encoding = candidate;
      best = weight;
    }
  }
  return { encoding, refusesIdentity: (identity ?? others) === 0 };
}

/** One item of a header such as `Accept` or `Accept-Encoding`. */
interface Range {
  readonly name: string;
  /** From 0, which refuses it, to 1. */
  readonly weight: number;
  readonly position: number;
}

/** No client names nearly as many; a header of nothing but commas would take a millisecond to read. */
const MAX_RANGES = 100;
const MAX_PARAMETERS = 10;

/** Reads `a, b;q=0.5` as a with a weight of 1, b with 0.5. What is named twice counts as where it weighs most. */
function ranges(header = ''): readonly Range[] {
  const read: Range[] = [];
  for (const [position, item] of header.split(',', MAX_RANGES).entries()) {
    const [name = '', ...parameters] = item
      .split(';', MAX_PARAMETERS)
      .map((part) => part.trim().toLowerCase());
    if (name !== '') read.push({ name, weight: qualityIn(parameters), position });
  }
  return read.sort((one, other) => other.weight - one.weight);
}

/** Nothing that covers it: not acceptable. */
function weightFor(range: Range | undefined): number {
  return range?.weight ?? 0;
}

/** A weight that is none, as of `q=high`, is left out of account. */
function qualityIn(parameters: readonly string[]): number {
  const [, quality] =
    parameters.map((parameter) => /^q\s*=\s*([01](\.\d*)?)$/.exec(parameter)).find(Boolean) ?? [];
  return quality === undefined ? 1 : Math.min(1, Number(quality));
}

/** Clients use one header or few, so the last answer is known. */
export function memoizeLast<T>(read: (header: string | undefined) => T): (header?: string) => T {
  let last: { readonly header: string | undefined; readonly value: T } | undefined;
  return (header) => {
    if (last === undefined || last.header !== header) last = { header, value: read(header) };
    return last.value;
  };
}
