import { weakMemoize } from '../weak-memoize.ts';
import type { RestError } from './errors.ts';
import { type Fields, fieldsOf, unionOf } from './fields.ts';
import type { Latin1 } from './latin1.ts';

/** Which of the caller's credentials a REST endpoint takes. */
export type CredentialKind = 'bearer' | 'basic';

/** What every record has, whatever else was asked for. */
export interface Row {
  readonly id: Latin1;
  readonly administration_id?: Latin1 | null;
}

/** A record in its place, or why what the service sent there is none: it spoils itself alone. */
export type ReadRow<R extends Row> = R | RestError;

/** One page as the service gave it, checked. */
export interface Page<R extends Row> {
  readonly rows: readonly ReadRow<R>[];
  /** Whether some of its rows are no records: such a page is not cached. */
  readonly isBroken?: true;
  /** Where some belong to another administration: the service has not filtered, so the page is no part of a list. */
  readonly foreign?: RestError;
  /** Where the next page starts; absent on the last page. */
  readonly cursor?: string;
  /** What it took to send it. */
  readonly bytes: number;
}

/** A query parameter. An assumed name is not in the service's description, so it can be configured. */
export interface Parameter {
  readonly name: string;
  readonly assumed: boolean;
}

/** One REST collection as plain data; a connection, a batched lookup and the cost follow from it. */
export interface Resource<R extends Row = Row> {
  /** The query field that lists it, also its name in the configuration. */
  readonly name: string;
  /** The name of one record's type, which its global ids carry. */
  readonly type: string;
  readonly path: string;
  /** `GET` and the path. */
  readonly endpoint: string;
  readonly credential: CredentialKind;
  /** What the gateway itself reads of each record: always asked for. */
  readonly requiredFields: readonly string[];
  readonly takesFields: boolean;
  /** Arguments of the query field, and the parameter each becomes. */
  readonly filters: { readonly [argument: string]: Parameter };
  /** Only a type: what a record of this collection looks like. */
  readonly row?: R;
}

/** The values of a resource's filters: a list of them is sent separated by commas. */
export interface FilterValues {
  readonly [argument: string]: string | readonly string[];
}

/** A parameter name that the service's description shows. */
export function known(name: string): Parameter {
  return { name, assumed: false };
}

/** A parameter name chosen by analogy, because the description gives only its meaning. */
export function assumed(name: string): Parameter {
  return { name, assumed: true };
}

export function defineResource<R extends Row>(resource: Omit<Resource<R>, 'row' | 'endpoint'>): Resource<R> {
  return { ...resource, endpoint: `GET ${resource.path}` };
}

/** Parameter names from the configuration, by resource and argument. */
export interface ParameterNames {
  readonly [resource: string]: { readonly [argument: string]: string };
}

const readsOf = weakMemoize(({ requiredFields }: Resource) => fieldsOf(requiredFields));

/** A selection with what the gateway itself reads. */
export function withRequiredFields(resource: Resource, fields: Fields): Fields {
  return unionOf(readsOf(resource), fields);
}

/** Names a record among all that a credential has read. */
export function recordKey(
  { path }: Resource,
  filter: string,
  administrationId: string,
  value: string,
): string {
  return JSON.stringify([path, filter, administrationId, value]);
}
