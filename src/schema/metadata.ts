import { executionHints } from '../execution/hints.ts';
import type { Fields } from '../rest/fields.ts';
import type { Resource } from '../rest/resource.ts';
import type { Context } from './context.ts';
import type { Estimate, Scope } from './estimate.ts';

/** What a field or type of the schema says of the REST service, beside what GraphQL needs to know. */
export interface RestMetadata {
  /** REST fields that a resolver reads, where the field is not simply one of them. */
  readonly needs?: readonly string[];
  /** The selection inside belongs to the same record: `edges`, `nodes`, `node`, a payload's record. */
  readonly sameRecord?: boolean;
  /** The REST calls that the field leads to. */
  readonly cost?: (args: { readonly [name: string]: unknown }, scope: Scope) => Estimate;
  /** The collection that the field lists. */
  readonly lists?: Resource;
  /** On a type: how records of it are fetched again by their ids. */
  readonly refetch?: Refetch;
}

/** The records of an administration by their ids: null for one that is gone, an error for one that cannot be read. */
export type Refetch = (
  context: Context,
  administrationId: string,
  ids: readonly string[],
  fields: Fields,
) => Promise<ReadonlyMap<string, object | null>> | ReadonlyMap<string, object | null>;

/** Marks our own entry among the extensions, so that reading it back needs no cast. */
class Entry {
  readonly metadata: RestMetadata;
  constructor(metadata: RestMetadata) {
    this.metadata = metadata;
  }
}

/** `extensions` of a field or a type. */
export function restMetadata(metadata: RestMetadata): { readonly [name: string]: unknown } {
  return { rest: new Entry(metadata), ...executionHints({ isBatched: metadata.cost !== undefined }) };
}

export function restMetadataOf(definition: {
  readonly extensions: { readonly [name: string]: unknown };
}): RestMetadata {
  const { rest } = definition.extensions;
  return rest instanceof Entry ? rest.metadata : {};
}
