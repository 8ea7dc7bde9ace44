import type { GraphQLError } from 'graphql';
import { tooExpensive } from '../http/request-error.ts';

/** The totals over all operations of a document. A fragment counts each time it is spread. */
export interface Size {
  readonly levels: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
  /** Fragment spreads and inline fragments. */
  readonly spreads: number;
  /** Values in arguments and defaults: a list counts as one, plus one for each of its items. */
  readonly values: number;
  readonly variables: number;
  /** `__schema` and `__type` fields, each of which can return the whole schema. */
  readonly introspections: number;
}

export const EMPTY: Size = {
  levels: 0,
  fields: 0,
  aliases: 0,
  directives: 0,
  spreads: 0,
  values: 0,
  variables: 0,
  introspections: 0,
};

const LIMITS: Size = {
  levels: 20,
  fields: 1_500,
  aliases: 200,
  directives: 200,
  spreads: 500,
  values: 5_000,
  variables: 200,
  introspections: 5,
};

export function add(a: Size, b: Size): Size {
  return {
    levels: Math.max(a.levels, b.levels),
    fields: a.fields + b.fields,
    aliases: a.aliases + b.aliases,
    directives: a.directives + b.directives,
    spreads: a.spreads + b.spreads,
    values: a.values + b.values,
    variables: a.variables + b.variables,
    introspections: a.introspections + b.introspections,
  };
}

/** For error messages. */
const NAMES: { readonly [count in keyof Size]: string } = {
  levels: 'levels',
  fields: 'fields',
  aliases: 'aliases',
  directives: 'directives',
  spreads: 'spreads of fragments',
  values: 'values in arguments',
  variables: 'variables',
  introspections: 'fields `__schema` and `__type`',
};

/** Returns the size; throws if it exceeds a limit. */
export function checkLimits(size: Size): Size {
  checkLevel(size.levels);
  if (size.fields > LIMITS.fields) throw tooMany('fields');
  if (size.aliases > LIMITS.aliases) throw tooMany('aliases');
  if (size.directives > LIMITS.directives) throw tooMany('directives');
  if (size.spreads > LIMITS.spreads) throw tooMany('spreads');
  if (size.values > LIMITS.values) throw tooMany('values');
  if (size.variables > LIMITS.variables) throw tooMany('variables');
  if (size.introspections > LIMITS.introspections) throw tooMany('introspections');
  return size;
}

/** Also called before visiting a level, to limit the recursion. */
export function checkLevel(level: number): void {
  if (level > LIMITS.levels) throw tooMany('levels');
}

export function tooMany(count: keyof Size): GraphQLError {
  return tooExpensive(`The document has more than ${LIMITS[count]} ${NAMES[count]}. Ask for less at a time.`);
}
