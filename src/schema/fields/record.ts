import type { InputFieldMap } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { type Arguments, registerBatchResolver } from '../../execution/plan.ts';
import { badInput, InvalidValue } from '../../rest/errors.ts';
import { isNullish, isObject } from '../../rest/json.ts';
import { BY_ID, type LookupKey } from '../../rest/lookup.ts';
import type { Resource, Row } from '../../rest/resource.ts';
import { isSendable, isSendableItem } from '../../rest/url.ts';
import { addField } from './administration.ts';
import type { Context } from './context.ts';
import type { NoRecord, RecordKey } from './loaders.ts';
import { getSelection, joinCost, lookupCost, restMetadata } from './metadata.ts';
import { administrationId, internalId } from './node.ts';
import type { RecordRef } from './record-type.ts';

/** Adds a field for one record of a resource to `Query` and to `Administration`. */
export function exposeRecord(
  name: string,
  resource: Resource,
  type: RecordRef,
  options: {
    readonly description: string;
    readonly args: InputFieldMap;
    /** The key of each argument, or of each field of `by`. */
    readonly keys: { readonly [argument: string]: LookupKey };
  },
): void {
  const { keys: keysByArgument, ...field } = options;
  const keys = Object.entries(keysByArgument);
  const findKey = (args: Arguments) => {
    const { administrationId: id } = args;
    const administration = typeof id === 'string' ? administrationId(id) : undefined;
    const by = isObject(args.by) ? args.by : args;
    for (const [argument, key] of keys) {
      const value = by[argument];
      if (typeof value !== 'string') continue;
      if (key.filter !== BY_ID.filter) return { key, administration, value };
      return { key, administration, value: internalId(value, resource.type, argument, administration) };
    }
    throw badInput(`Give one of ${Object.keys(keysByArgument).join(', ')}.`);
  };
  const extensions = restMetadata({
    cost: (args, scope) => {
      const { key, administration, value } = findKey(args);
      return lookupCost(resource, key.filter, [value], administration, scope);
    },
  });
  addField(name, resource, { ...field, type, extensions }, (args, { dataSource: { loaders } }, info) => {
    const { key, administration = '', value } = findKey(args);
    return loaders.record(resource, key, { administrationId: administration, value }, getSelection(info));
  });
}

/** Resolves the records that rows refer to by administration and id, with one lookup for all rows. */
export function joinField<IdMember extends string>(resource: Resource, idMember: IdMember) {
  const needs = ['administrationId', idMember] as const;
  const resolveBatch = (
    rows: readonly Row[],
    { dataSource: { loaders } }: Context,
    info: GraphQLResolveInfo,
  ) => {
    const refs = rows.map((row) => toRecordKey(row.administrationId, row[idMember]));
    return loaders.records(resource, BY_ID, { refs, fields: getSelection(info) });
  };
  // Used by executors without batches.
  const resolve = async (row: Row, _args: object, context: Context, info: GraphQLResolveInfo) =>
    (await resolveBatch([row], context, info))[0];
  registerBatchResolver(resolve, { resolve: resolveBatch });
  const extensions = restMetadata({ needs, cost: (_args, scope) => joinCost(resource, scope) });
  return { needs, resolve, extensions };
}

/** Returns null if a row refers to no record. An id that cannot be sent is an error of the service, not of the caller. */
export function toRecordKey(administration: unknown, value: unknown): RecordKey | NoRecord {
  if (isNullish(administration) || isNullish(value) || administration === '' || value === '') return null;
  const areStrings = typeof administration === 'string' && typeof value === 'string';
  if (areStrings && isSendable(administration) && isSendableItem(value))
    return { administrationId: administration, value };
  return new InvalidValue('an id that cannot be sent');
}
