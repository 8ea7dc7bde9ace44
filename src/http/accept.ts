export const RESPONSE_JSON = 'application/graphql-response+json';
export const JSON_TYPE = 'application/json';

/** Clients use one header or few, so the last answer is known. */
let lastNegotiated: { readonly accept: string; readonly type: string | undefined } | undefined;

/** Of the types that GraphQL over HTTP knows, the one that the caller names first; undefined where none is named. */
export function negotiate(accept = '*/*'): string | undefined {
  if (lastNegotiated?.accept !== accept) lastNegotiated = { accept, type: firstKnown(accept) };
  return lastNegotiated.type;
}

function firstKnown(accept: string): string | undefined {
  for (const [type, weight] of weights(accept)) {
    if (weight === 0) continue;
    if (type === RESPONSE_JSON || type === JSON_TYPE) return type;
    if (type === '*/*' || type === 'application/*') return JSON_TYPE;
  }
  return undefined;
}

/** Reads `a, b;q=0.5` as a → 1, b → 0.5. */
export function weights(header = ''): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2));
      return [name, Number.isNaN(quality) ? 1 : quality];
    }),
  );
}

/** A browser names HTML and none of the others; other clients do the reverse, or take whatever comes. */
export function prefersHtml(accept: string | undefined, others: readonly string[]): boolean {
  const accepted = weights(accept);
  const weight = (type: string) => accepted.get(type) ?? 0;
  return weight('text/html') > Math.max(...others.map(weight));
}
