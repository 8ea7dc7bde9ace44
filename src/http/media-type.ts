export const RESPONSE_JSON = 'application/graphql-response+json';
export const JSON_TYPE = 'application/json';

/** Of the types that GraphQL over HTTP knows, the one that the caller names first; undefined where none is named. */
export function negotiate(accept = '*/*'): string | undefined {
  for (const item of accept.split(',')) {
    const [type = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) continue;
    if (type === RESPONSE_JSON || type === JSON_TYPE) return type;
    if (type === '*/*' || type === 'application/*') return JSON_TYPE;
  }
  return undefined;
}
