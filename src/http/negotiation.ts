import Negotiator from 'negotiator';

export const RESPONSE_JSON = 'application/graphql-response+json';
export const JSON_TYPE = 'application/json';

/** The media type of GraphQL over HTTP that the client prefers; undefined if it accepts none. */
export const negotiate = memoizeLast((accept) => preferred(accept, [JSON_TYPE, RESPONSE_JSON]));

/** Which of these types the client names and prefers to JSON; undefined if it prefers JSON, or takes anything. */
export function preferredToJson(types: readonly string[], accept = ''): string | undefined {
  const named = namedIn(accept, types);
  const type = named.length > 0 ? preferred(accept, [JSON_TYPE, RESPONSE_JSON, ...named]) : undefined;
  return type !== undefined && named.includes(type) ? type : undefined;
}

function namedIn(accept: string, types: readonly string[]): string[] {
  return types.filter((type) => accept.toLowerCase().includes(type));
}

/** How the results of a stream are written: GraphQL over SSE, or Apollo's subscriptions over multipart. */
export type StreamType = 'sse' | 'multipart';

export const EVENT_STREAM = 'text/event-stream';
export const MULTIPART = 'multipart/mixed';
/** What Apollo Client sends, but for the boundary. */
export const SUBSCRIPTION_PARTS = `${MULTIPART};subscriptionSpec=1.0`;

/** Without it, parts of `multipart/mixed` would be those of `@defer`, which the client could not tell apart. */
const SUBSCRIPTION_SPEC = /;\s*subscriptionspec\s*=\s*"?1\.0\b/i;

/** The stream that the client names and prefers. A range such as `*\/*` names none: few who send it could read one. */
export function streamTypeIn(accept = ''): StreamType | undefined {
  const named = namedIn(accept, SUBSCRIPTION_SPEC.test(accept) ? [EVENT_STREAM, MULTIPART] : [EVENT_STREAM]);
  const type = named.length > 0 ? preferred(accept, named) : undefined;
  return type === undefined ? undefined : type === EVENT_STREAM ? 'sse' : 'multipart';
}

/** Apollo Client exposes the code of a 4xx only with GraphQL's own type, and retries a 5xx only with any other. */
export function typeFor(status: number, negotiated: string | undefined): string {
  return (status < 500 && negotiated) || JSON_TYPE;
}

/** A browser prefers HTML; other clients prefer one of the others, or accept anything. */
export function prefersHtml(accept: string | undefined, others: readonly string[]): boolean {
  return preferred(accept, [...others, 'text/html']) === 'text/html';
}

/** A parameter such as `charset`; a range that has one would match no type. */
const PARAMETER = /;(?!\s*q\s*=)[^;,]*/gi;

/** Which of these types the client prefers, by its weights; the first of them if it does not say. */
function preferred(accept: string | undefined, types: readonly string[]): string | undefined {
  return new Negotiator({ headers: { accept: accept?.replace(PARAMETER, '') || '*/*' } }).mediaType(types);
}

/** Caches the last result: most clients send the same header value. */
export function memoizeLast<T>(read: (header: string | undefined) => T): (header?: string) => T {
  let last: { readonly header: string | undefined; readonly value: T } | undefined;
  return (header) => {
    if (last === undefined || last.header !== header) last = { header, value: read(header) };
    return last.value;
  };
}
