import type { QueryResult } from './gateway.ts';

/** The codes of an answer's errors, in their order. */
export function codesOf({ errors = [] }: Pick<QueryResult<unknown>, 'errors'>): string[] {
  return errors.map(({ extensions }) => extensions.code);
}
