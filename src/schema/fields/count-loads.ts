import { GraphQLError } from 'graphql';
import type { Arguments } from '../../execution/arguments.ts';
import { weakMemoize } from '../../memoize.ts';
import { TOO_MANY_LOADS } from '../../rest/errors.ts';
import { isObject } from '../../rest/json.ts';
import type { Load } from '../../rest/loads.ts';
import type { Context } from './builder.ts';

/** Once there are too many, the operation ends: there may be a hundred times as many to come. */
export function countLoad({ rest, budget }: Context, load: Load): void {
  if (budget.stopError) throw budget.stopError;
  budget.checkClock();
  try {
    rest.countLoad(load);
  } catch (error) {
    if (error === TOO_MANY_LOADS) {
      const { message, code } = TOO_MANY_LOADS;
      budget.stop(new GraphQLError(message, { originalError: TOO_MANY_LOADS, extensions: { code } }));
    }
    throw error;
  }
}

/** A text counts as a value for each of so many characters: it is decoded, encoded or parsed. */
const CHARACTERS_PER_VALUE = 20;
/** What is looked at counts too, though it may be null. */
const MEMBER = 0.1;

/** As how many values arguments count: they are counted before anything reads them, and may find them wrong. */
export function countArguments(args: Arguments): number {
  let count = 0;
  for (const name in args) count += countValues(args[name]);
  return count;
}

function countValues(value: unknown): number {
  if (typeof value === 'string') return MEMBER + value.length / CHARACTERS_PER_VALUE;
  if (Array.isArray(value)) return countItems(value);
  return isObject(value) ? countMembers(value) : MEMBER;
}

/** Remembered, since the lists of all administrations have the same arguments. */
const countMembers = weakMemoize(countArguments);
const countItems = weakMemoize((list: readonly unknown[]) => {
  let count = list.length;
  for (const item of list) count += countValues(item);
  return count;
});
