import type { InputFieldMap, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { badInput } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import { BY_ID, type Key } from '../rest/lookup.ts';
import type { Resource, Row } from '../rest/resource.ts';
import {
  Administration,
  administrationArgument,
  administrationId,
  estimatedAdministration,
  leastInEach,
} from './administration.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { type Estimate, lookupCost, type Scope } from './estimate.ts';
import { internalId } from './global-id.ts';
import { leastOfLookup } from './least.ts';
import { recordLoader } from './loaders.ts';
import { restMetadata } from './metadata.ts';
import { selectionOf } from './selection.ts';

interface Arguments {
  readonly [name: string]: unknown;
}

/** The lookup key for each argument, or for each field of `by`. */
type Keys = { readonly [argument: string]: Key };

/** Adds a field for one record of a resource to `Query` and to `Administration`. */
export function exposeRecord(
  name: string,
  resource: Resource,
  type: ObjectRef<typeof builder.$inferSchemaTypes, Row>,
  options: { readonly description: string; readonly args: InputFieldMap; readonly keys: Keys },
): void {
  const { description, args: argumentDefinitions, keys } = options;
  const load = recordLoader(resource);
  const loadBy = (administrationId: string, args: Arguments, context: Context, info: GraphQLResolveInfo) => {
    const { key, value } = requestedKey(resource, keys, args, administrationId);
    return load(context, key, { administrationId, value }, selectionOf(info));
  };
  const extensions = restMetadata({ cost: (args, scope) => recordCost(resource, keys, args, scope) });

  builder.queryField(name, (t) =>
    t.field({
      type,
      description,
      extensions,
      args: { ...administrationArgument, ...argumentDefinitions },
      resolve: (_root, args: Arguments, context, info) =>
        loadBy(administrationId(String(args.administrationId)), args, context, info),
    }),
  );
  builder.objectField(Administration, name, (t) =>
    t.field({
      type,
      description,
      extensions,
      args: argumentDefinitions,
      resolve: ({ id }, args: Arguments, context, info) =>
        loadBy(context.rest.text.decode(id), args, context, info),
    }),
  );
}

function requestedKey(resource: Resource, keys: Keys, args: Arguments, administrationId: string) {
  const found = keyIn(keys, args);
  if (found === undefined) throw badInput(`Give one of ${Object.keys(keys).join(', ')}.`);
  const { argument, key } = found;
  const isId = key.filter === BY_ID.filter;
  const value = isId ? internalId(found.value, resource.type, argument, administrationId) : found.value;
  return { key, value };
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

/** Lookups in the same administration share a call. */
function recordCost(resource: Resource, keys: Keys, args: Arguments, scope: Scope): Estimate {
  const found = keyIn(keys, args);
  if (found === undefined) return { reads: [], items: 0 };
  const administration = estimatedAdministration(args, scope);
  const lookup = { type: resource.type, filter: found.key.filter, keys: [found.value] };
  const least = () =>
    leastInEach(args, scope, (given) => {
      const own = administrationId(String(given));
      const { key, value } = requestedKey(resource, keys, args, own);
      return leastOfLookup(resource.type, key.filter, [value], own);
    });
  return { ...lookupCost(lookup, scope, administration), least };
}
