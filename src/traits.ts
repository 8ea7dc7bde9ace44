import type { Context } from './context.ts';
import type { Fields } from './rest/fields.ts';
import type { Resource } from './rest/resource.ts';

/** What a field or type of the schema says of the REST service, beside what GraphQL needs to know. */
export interface Traits {
  /** REST fields that a resolver reads, where the field is not simply one of them. */
  readonly needs?: readonly string[];
  /** The selection inside belongs to the same record: `edges`, `nodes`, `node`, a payload's record. */
  readonly sameRecord?: boolean;
  /** The REST calls that the field leads to. */
  readonly cost?: (args: { readonly [name: string]: unknown }, scope: Scope) => Estimate;
  /** The collection that the field lists. */
  readonly lists?: Resource;
  /** On a scalar: whether text goes into an answer as it is. */
  readonly passesText?: boolean;
  /** On a type: how a record of it is fetched again by its id. */
  readonly refetch?: (
    context: Context,
    administrationId: string,
    id: string,
    fields: Fields,
  ) => Promise<object | null> | object | null;
}

/** What is known, before anything runs, of the records that a selection will be applied to. */
export interface Scope {
  /** The call they come from; lookups below the same call are one batch. */
  readonly origin: string;
  readonly rows: number;
  /** The one administration they belong to, where the operation says which. */
  readonly administration?: string;
  /** How many administrations they spread over. */
  readonly administrations: number;
}

export interface Read {
  /** Names what is read: reads of one name are made once, however often they are asked for. */
  readonly call?: string;
  /** Rows of a list; or the keys of a lookup, which add up over the fields that share the call. */
  readonly rows: number | readonly string[];
  readonly perCall: number;
}

export interface Estimate {
  readonly reads: readonly Read[];
  /** What is known of the records inside, where it differs from outside. */
  readonly scope?: Partial<Scope>;
}

/** Marks our own entry among a field's extensions, so that reading it back needs no cast. */
class Marked {
  readonly traits: Traits;
  constructor(traits: Traits) {
    this.traits = traits;
  }
}

export function traits(traits: Traits): { readonly traits: unknown } {
  return { traits: new Marked(traits) };
}

export function traitsOf(definition: { readonly extensions: { readonly [name: string]: unknown } }): Traits {
  const { traits } = definition.extensions;
  return traits instanceof Marked ? traits.traits : {};
}
