// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { getNamedType, isInterfaceType, isIntrospectionType, isObjectType } from 'graphql';
import { schema } from '../dist/schema/index.js';

/** Writes what the modules for clients' caches have to know of the schema: `SCHEMA` in each file of clients/. */
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
const objects = types.filter(isObjectType);
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const isConnection = (/** @type {unknown} */ type) => isObjectType(type) && 'pageInfo' in type.getFields();

// Connections, with their edges, belong to their lists.
const embedded = objects
  .filter((type) => !roots.includes(type) && !('id' in type.getFields()))
  .filter(({ name }) => !/(?:Connection|Edge|^PageInfo)$/.test(name))
  .map(({ name }) => name)
  .sort();

/** The lists of each type, with the arguments that distinguish two lists, except those for pages. */
const lists = Object.fromEntries(
  objects.flatMap((type) => {
    const fields = Object.values(type.getFields()).filter((field) => isConnection(getNamedType(field.type)));
    const named = fields.map(({ name, args }) => [
      name,
      args.map((argument) => argument.name).filter((argument) => !['first', 'after'].includes(argument)),
    ]);
    return named.length > 0 ? [[type.name, Object.fromEntries(named)]] : [];
  }),
);

const possibleTypes = Object.fromEntries(
  types
    .filter(isInterfaceType)
    .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
);

const listNames = Object.fromEntries(
  Object.entries(lists).map(([type, fields]) => [type, Object.keys(fields)]),
);

/** @type {Record<string, object>} */
const modules = {
  'apollo.js': { embedded, lists, possibleTypes },
  'graphcache.js': { embedded, lists: listNames },
};
for (const [name, known] of Object.entries(modules)) {
  const file = new URL(`../clients/${name}`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/^const SCHEMA = .*?^\};$/ms, `const SCHEMA = ${JSON.stringify(known)};`));
}
