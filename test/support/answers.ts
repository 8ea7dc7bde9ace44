import type { Answer } from './gateway.ts';

/** The codes of an answer's errors, in their order. */
export function codesOf({ errors = [] }: Pick<Answer<unknown>, 'errors'>): string[] {
  return errors.map(({ extensions }) => extensions.code);
}
