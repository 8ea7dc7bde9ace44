import type { GraphQLError } from 'graphql';
import { tooExpensive } from '../errors.ts';

/** How much there is in all operations of a document, with each fragment counted as often as it is spread. */
export interface Size {
  readonly levels: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
  /** Of fragments, inline ones among them. */
  readonly spreads: number;
  /** Of arguments and defaults: a list counts as one, and each of its items as another. */
  readonly values: number;
  readonly variables: number;
  /** Of the schema, each of which makes an answer as long as the schema. */
  readonly introspections: number;
}

export const NOTHING: Size = {
  levels: 0,
  fields: 0,
  aliases: 0,
  directives: 0,
  spreads: 0,
  values: 0,
  variables: 0,
  introspections: 0,
};

const MOST: Size = {
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

/** As callers know them. */
const NAMES: { readonly [what in keyof Size]: string } = {
  levels: 'levels',
  fields: 'fields',
  aliases: 'aliases',
  directives: 'directives',
  spreads: 'spreads of fragments',
  values: 'values in arguments',
  variables: 'variables',
  introspections: 'fields `__schema` and `__type`',
};

/** The size itself, or a refusal of what is beyond `MOST`. */
export function within(size: Size): Size {
  checkLevel(size.levels);
  if (size.fields > MOST.fields) throw tooMany('fields');
  if (size.aliases > MOST.aliases) throw tooMany('aliases');
  if (size.directives > MOST.directives) throw tooMany('directives');
  if (size.spreads > MOST.spreads) throw tooMany('spreads');
  if (size.values > MOST.values) throw tooMany('values');
  if (size.variables > MOST.variables) throw tooMany('variables');
  if (size.introspections > MOST.introspections) throw tooMany('introspections');
  return size;
}

/** What is nested deeper is not walked into. */
export function checkLevel(level: number): void {
  if (level > MOST.levels) throw tooMany('levels');
}

export function tooMany(what: keyof Size): GraphQLError {
  return tooExpensive(`The document has more than ${MOST[what]} ${NAMES[what]}. Ask for less at a time.`);
}
