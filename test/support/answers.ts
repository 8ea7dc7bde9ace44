import type { QueryResult } from './gateway.ts';

export function codesOf({ errors = [] }: Pick<QueryResult<unknown>, 'errors'>): string[] {
  return errors.map(({ extensions }) => extensions.code);
}
