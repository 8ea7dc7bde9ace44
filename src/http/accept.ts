import { lastKnown, type Range, ranges, weightFor } from './weights.ts';

export const RESPONSE_JSON = 'application/graphql-response+json';
export const JSON_TYPE = 'application/json';

/** Of the types that GraphQL over HTTP knows, the one that the caller prefers; undefined where it takes none. */
export const negotiate: (accept?: string) => string | undefined = lastKnown((accept) => {
  const accepted = ranges(accept);
  // A client that accepts nothing in particular accepts anything.
  if (accepted.length === 0) return JSON_TYPE;
  const json = matching(accepted, JSON_TYPE);
  const response = matching(accepted, RESPONSE_JSON);
  if (weightFor(json) === 0 && weightFor(response) === 0) return undefined;
  return isPreferred(response, json) ? RESPONSE_JSON : JSON_TYPE;
});

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
