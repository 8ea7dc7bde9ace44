export const RESPONSE_JSON = 'application/graphql-response+json';
export const JSON_TYPE = 'application/json';

/** The media type of GraphQL over HTTP that the client prefers; undefined if it accepts none. */
export const negotiate: (accept?: string) => string | undefined = memoizeLast((accept) => {
  const accepted = ranges(accept);
  // A missing or empty header accepts anything.
  if (accepted.length === 0) return JSON_TYPE;
  const json = matching(accepted, JSON_TYPE);
  const response = matching(accepted, RESPONSE_JSON);
  if (weightFor(json) === 0 && weightFor(response) === 0) return undefined;
  return isPreferred(response, json) ? RESPONSE_JSON : JSON_TYPE;
});

/** Which of these types the client names and prefers to JSON; undefined if it prefers JSON, or takes anything. */
export function preferredToJson(types: readonly string[]): (accept?: string) => string | undefined {
  return memoizeLast((accept) => {
    const accepted = ranges(accept);
    const named = accepted.find(({ name, weight }) => weight > 0 && types.includes(name));
    const isBehind = [JSON_TYPE, RESPONSE_JSON].some((type) => isPreferred(matching(accepted, type), named));
    return isBehind ? undefined : named?.name;
  });
}

/** How the results of a stream are written: GraphQL over SSE, or Apollo's subscriptions over multipart. */
export type StreamType = 'sse' | 'multipart';

export const EVENT_STREAM = 'text/event-stream';
export const MULTIPART = 'multipart/mixed';
/** What Apollo Client sends, but for the boundary. */
export const SUBSCRIPTION_PARTS = `${MULTIPART};subscriptionSpec=1.0`;

/** The stream that the client names and prefers. A range such as `*\/*` names none: few who send it could read one. */
export const streamTypeIn: (accept?: string) => StreamType | undefined = memoizeLast((accept) => {
  for (const { name, weight, parameters } of ranges(accept)) {
    if (weight === 0) continue;
    if (name === EVENT_STREAM) return 'sse';
    if (name === MULTIPART && parameters.some(isSubscriptionSpec)) return 'multipart';
  }
  return undefined;
});

/** Without it, parts of `multipart/mixed` would be those of `@defer`, which the client could not tell apart. */
function isSubscriptionSpec(parameter: string): boolean {
  return /^subscriptionspec\s*=\s*"?1\.0"?$/.test(parameter);
}

/** Apollo Client exposes the code of a 4xx only with GraphQL's own type, and retries a 5xx only with any other. */
export function typeFor(status: number, negotiated: string | undefined): string {
  return (status < 500 && negotiated) || JSON_TYPE;
}

/** By weight, then by position in the header. */
function isPreferred(one: Range | undefined, other: Range | undefined): boolean {
  const difference = weightFor(one) - weightFor(other);
  if (difference !== 0 || !one || !other) return difference > 0;
  return one.position < other.position;
}

/** The most specific range that covers a type. */
function matching(accepted: readonly Range[], type: string): Range | undefined {
  const whole = `${type.slice(0, type.indexOf('/'))}/*`;
  for (const name of [type, whole, '*/*']) {
    const range = accepted.find((candidate) => candidate.name === name);
    if (range) return range;
  }
  return undefined;
}

/** A browser accepts HTML explicitly and none of the others; other clients do the reverse, or accept anything. */
export function prefersHtml(accept: string | undefined, others: readonly string[]): boolean {
  const accepted = ranges(accept);
  const weight = (type: string) => weightFor(accepted.find(({ name }) => name === type));
  return weight('text/html') > Math.max(...others.map(weight));
}

/** The encoding that the client prefers, else the first in `available`; none rather than an error if it takes none. */
export function preferredEncoding<Encoding extends string>(
  acceptEncoding: string | undefined,
  available: readonly Encoding[],
) {
  const accepted = ranges(acceptEncoding);
  const weightOf = (name: string) => accepted.find((range) => range.name === name)?.weight;
  const others = weightOf('*');
  const identity = weightOf('identity');
  let encoding: Encoding | undefined;
  // If not listed, `identity` has the lowest preference.
  let best = identity ?? 0;
  for (const candidate of available) {
    const weight = weightOf(candidate) ?? weightOf(`x-${candidate}`) ?? others ?? 0;
    if (weight > best || (weight === best && weight > 0 && encoding === undefined)) {
      encoding = candidate;
      best = weight;
    }
  }
  // A client that refuses `identity` gets even a short body encoded.
  return { encoding, refusesIdentity: (identity ?? others) === 0 };
}

/** One item of a header such as `Accept` or `Accept-Encoding`. */
interface Range {
  readonly name: string;
  /** From 0 (not acceptable) to 1. */
  readonly weight: number;
  readonly position: number;
  /** In lower case. */
  readonly parameters: readonly string[];
}

/** No real client sends nearly as many; parsing a header of nothing but commas would take a millisecond. */
const MAX_RANGES = 100;
const MAX_PARAMETERS = 10;

/** Parses `a, b;q=0.5` as a with weight 1 and b with weight 0.5. For duplicates the highest weight counts. */
function ranges(header = ''): readonly Range[] {
  const read: Range[] = [];
  for (const [position, item] of header.split(',', MAX_RANGES).entries()) {
    const [name = '', ...parameters] = item
      .split(';', MAX_PARAMETERS)
      .map((part) => part.trim().toLowerCase());
    if (name !== '') read.push({ name, weight: qualityIn(parameters), position, parameters });
  }
  return read.sort((one, other) => other.weight - one.weight);
}

/** No matching range: not acceptable. */
function weightFor(range: Range | undefined): number {
  return range?.weight ?? 0;
}

/** An invalid weight, such as `q=high`, is ignored. */
function qualityIn(parameters: readonly string[]): number {
  const [, quality] =
    parameters.map((parameter) => /^q\s*=\s*([01](\.\d*)?)$/.exec(parameter)).find(Boolean) ?? [];
  return quality === undefined ? 1 : Math.min(1, Number(quality));
}

/** Caches the last result: most clients send the same header value. */
export function memoizeLast<T>(read: (header: string | undefined) => T): (header?: string) => T {
  let last: { readonly header: string | undefined; readonly value: T } | undefined;
  return (header) => {
    if (last === undefined || last.header !== header) last = { header, value: read(header) };
    return last.value;
  };
}
