import { weakMemoizePair } from '../memoize.ts';
import { RestError } from './errors.ts';
import { createFieldTree, type FieldTree, mergeAll, withMembers } from './fields.ts';
import type { Member, Members } from './values.ts';

export type CredentialKind = 'bearer' | 'basic';

export interface Row {
  readonly internalId: string;
  readonly administrationId?: string | null;
  readonly [member: string]: unknown;
}

/** An invalid row is an error, and fails alone. */
export type RowOrError = Row | RestError;

export function isRow(row: RowOrError | undefined): row is Row {
  return row !== undefined && !(row instanceof RestError);
}

export interface Page {
  readonly rows: readonly RowOrError[];
  /** Whether some rows are invalid: such a page is not cached. */
  readonly hasInvalidRows?: true;
  readonly cursor?: string | undefined;
  readonly bytes: number;
  readonly sentAt: number;
  /** The service's `Date` header. */
  readonly date?: string | undefined;
}

/** A query parameter. An assumed name is chosen by analogy: the service's documentation describes only its meaning. */
interface Parameter {
  readonly name: string;
  readonly assumed: boolean;
  readonly takes: Member | undefined;
}

/** One REST collection as plain data; its connection, batched lookup and cost are derived from it. */
export interface Resource {
  /** The query field that lists it; also its name in the configuration. */
  readonly name: string;
  /** The GraphQL type of a record, which is part of its global ids. */
  readonly type: string;
  readonly path: string;
  readonly credential: CredentialKind;
  readonly members: Members;
  readonly takesFields: boolean;
  readonly filters: { readonly [argument: string]: Parameter };
}

/** Filter values by argument. Lists are sent separated by commas. */
export type FilterValues = Readonly<Record<string, string | readonly string[]>>;

export function documented(name: string, takes?: Member): Parameter {
  return { name, assumed: false, takes };
}

export function assumed(name: string, takes?: Member): Parameter {
  return { name, assumed: true, takes };
}

export type ParameterNames = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Adds the fields that the gateway itself reads, or all members if `fields` cannot be sent. */
export const withRequiredFields = weakMemoizePair(({ members, takesFields }: Resource, fields: FieldTree) => {
  const isRequired = (name: string) => !takesFields || name === 'internalId' || name === 'administrationId';
  const required = createFieldTree(Object.keys(members).filter(isRequired));
  return withMembers(members, mergeAll([required, fields]));
});
