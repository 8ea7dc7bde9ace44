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
  /** What they are read by. Reads below one origin are made together, and those below two are not. */
  readonly origin: string;
  /** How many they are, at most. */
  readonly records: number;
  /** Of a connection: how many rows each of its lists may have. */
  readonly rows: number;
  /** The one administration they belong to, where the operation says which. */
  readonly administration?: string;
  /** How many administrations they spread over, at most. */
  readonly administrations: number;
  /** The most rows that one list may ask for. */
  readonly maxFirst: number;
}

/** REST calls that are made once, however many fields ask for them: those of one name. */
export interface Read {
  readonly name: string;
  readonly calls: number | KeyedCalls;
}

/** A lookup, whose keys add up over the fields that share it. */
export interface KeyedCalls {
  readonly keys: readonly string[];
  /** For keys in one URL. */
  readonly room: number;
  /** In how many administrations each key is looked up. */
  readonly times: number;
}

export interface Estimate {
  readonly reads: readonly Read[];
  /** How many objects the field gives for each record; 1 where that is not said. */
  readonly items?: number;
  /** Values of its arguments, each of which takes time to read. */
  readonly values?: number;
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
