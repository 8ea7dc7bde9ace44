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

/**
 * The lists of each type, with the arguments that distinguish two lists, except those for pages.
 * @type {Record<string, Record<string, string[]>>}
 */
const lists = {};
for (const owner of objects)
  for (const { name, args, type } of Object.values(owner.getFields())) {
    const names = args.map((argument) => argument.name).filter((name) => !['first', 'after'].includes(name));
    if (isConnection(getNamedType(type))) lists[owner.name] = { ...lists[owner.name], [name]: names };
  }

const possibleTypes = Object.fromEntries(
  types
    .filter(isInterfaceType)
    .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
);

const text = `const SCHEMA = ${JSON.stringify({ embedded, lists, possibleTypes })};`;
for (const name of ['apollo.js', 'graphcache.js']) {
  const file = new URL(`../clients/${name}`, import.meta.url);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^const SCHEMA = .*?^\};$/ms, text));
}
