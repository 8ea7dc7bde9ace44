import type { InputFieldMap } from '@pothos/core';
import type { Arguments } from '../../execution/arguments.ts';
import { badInput } from '../../rest/errors.ts';
import { isObject } from '../../rest/json.ts';
import { BY_ID, type Key } from '../../rest/lookup.ts';
import type { Resource } from '../../rest/resource.ts';
import { addField } from './administration.ts';
import { ifValid, lookupCost, NOTHING_READ } from './estimate.ts';
import { administrationId, internalId } from './global-id.ts';
import { loadRecord } from './loaders.ts';
import { restMetadata } from './metadata.ts';
import type { RecordRef } from './record-type.ts';
import { selectionOf } from './selection.ts';

/** The lookup key for each argument, or for each field of `by`. */
type Keys = { readonly [argument: string]: Key };

/** Adds a field for one record of a resource to `Query` and to `Administration`. */
export function exposeRecord(
  name: string,
  resource: Resource,
  type: RecordRef,
  {
    description,
    args,
    keys,
  }: { readonly description: string; readonly args: InputFieldMap; readonly keys: Keys },
): void {
  const extensions = restMetadata({
    cost: (given, scope) => {
      const found = keyIn(keys, given);
      const { administrationId: own } = given;
      const administration = typeof own === 'string' ? ifValid(() => administrationId(own)) : undefined;
      return found
        ? lookupCost(resource, found.key.filter, [found.value], administration, scope)
        : NOTHING_READ;
    },
  });
  addField(
    name,
    { type, description, extensions, args, isInAdministration: true },
    async (given, context, info) => {
      const found = keyIn(keys, given);
      if (found === undefined) throw badInput(`Give one of ${Object.keys(keys).join(', ')}.`);
      const { argument, key } = found;
      const administration = administrationId(String(given.administrationId));
      const isId = key.filter === BY_ID.filter;
      const value = isId ? internalId(found.value, resource.type, argument, administration) : found.value;
      return loadRecord(
        context,
        resource,
        key,
        { administrationId: administration, value },
        selectionOf(info),
      );
    },
  );
}

function keyIn(keys: Keys, args: Arguments) {
  const by = isObject(args.by) ? args.by : args;
  for (const argument in keys) {
    const key = keys[argument];
    const value = by[argument];
    if (key && typeof value === 'string') return { argument, key, value };
  }
  return undefined;
}
