// @ts-check
/** @import { GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql' */
import { getNamedType, isInterfaceType, isIntrospectionType, isObjectType } from 'graphql';

/** Where a page is in its list: not part of what tells one list from another. */
const PAGE_ARGUMENTS = ['first', 'after'];

/**
 * Null in an object of a query, and known from another: `name` only below `viewer`.
 * @type {Record<string, readonly string[]>}
 */
const SOMETIMES_NULL = { Administration: ['name'] };

/**
 * ES modules that tell normalized caches of clients about the schema, with their types: those of the package, which
 * the gateway serves at /schema/.
 * @param {GraphQLSchema} schema
 * @returns {Record<string, string>} by their names
 */
export function clientModules(schema) {
  return {
    'graphcache.js': graphcacheModule(schema),
    'graphcache.d.ts': GRAPHCACHE_TYPES,
    'apollo.js': apolloModule(schema),
    'apollo.d.ts': APOLLO_TYPES,
  };
}

const GRAPHCACHE_TYPES = `import type { KeyingConfig, ResolverConfig } from '@urql/exchange-graphcache';

/** For \`cacheExchange({ keys, resolvers })\`: types without an id, and lists whose pages become one. */
export declare const keys: KeyingConfig;
export declare const resolvers: ResolverConfig;
`;

const APOLLO_TYPES = `import type { TypePolicies } from '@apollo/client';

/** For \`new InMemoryCache({ typePolicies, possibleTypes })\`: types without an id, and lists whose pages become one. */
export declare const typePolicies: TypePolicies;
export declare const possibleTypes: Record<string, string[]>;
`;

/**
 * `keys` and `resolvers` for the `cacheExchange` of urql's Graphcache.
 * @param {GraphQLSchema} schema
 */
function graphcacheModule(schema) {
  const keys = embeddedTypes(schema).map(({ name }) => `  ${name}: embedded,\n`);
  const resolvers = listsByType(schema).map(
    ([type, fields]) =>
      `  ${type}: {\n${fields.map(({ name }) => `    ${name}: relayPagination(),\n`).join('')}  },\n`,
  );
  return `// From the schema of this gateway. After an update, download it again: GET /schema/graphcache.js
import { relayPagination } from '@urql/exchange-graphcache/extras';

/** A type without an \`id\` is part of the object around it. */
const embedded = () => null;

/** @type {import('@urql/exchange-graphcache').KeyingConfig} */
export const keys = {
${keys.join('')}};

/**
 * The pages of a list become one list.
 *
 * @type {import('@urql/exchange-graphcache').ResolverConfig}
 */
export const resolvers = {
${resolvers.join('')}};
`;
}

/**
 * `typePolicies` and `possibleTypes` for the `InMemoryCache` of Apollo Client.
 * @param {GraphQLSchema} schema
 */
function apolloModule(schema) {
  const embedded = embeddedTypes(schema).map(({ name }) => `  ${name}: embedded,\n`);
  const lists = listsByType(schema).map(([type, fields]) => {
    const kept = SOMETIMES_NULL[type]?.map((name) => `      ${name}: known,\n`) ?? [];
    return `  ${type}: {\n    fields: {\n${[...kept, ...fields.map(listPolicy)].join('')}    },\n  },\n`;
  });
  const interfaces = Object.values(schema.getTypeMap()).filter(isInterfaceType);
  const possible = interfaces.map(
    (type) => `  ${type.name}: [${quoted(schema.getPossibleTypes(type).map(({ name }) => name))}],\n`,
  );
  return `// From the schema of this gateway. After an update, download it again: GET /schema/apollo.js
import { relayStylePagination } from '@apollo/client/utilities';

/** A type without an \`id\` is part of the object around it, and what several queries select of it goes together. */
const embedded = { keyFields: false, merge: true };

/** Only some queries know it, and elsewhere it is null: what is known stays. */
const known = { merge: (existing, incoming) => incoming ?? existing ?? null };

/** The pages of a list become one list: \`relayStylePagination\` for \`edges\`, and the same for \`nodes\`. */
function list(keyArgs) {
  const edges = relayStylePagination(keyArgs);
  return {
    keyArgs,
    read(existing, options) {
      if (!existing) return undefined;
      const { hasEdges, starts: _starts, ...list } = edges.read(existing, options);
      // Without edges they would be taken for an empty list, where only \`nodes\` were asked for.
      if (!hasEdges) delete list.edges;
      return list;
    },
    merge(existing, incoming, options) {
      const merged = edges.merge(existing, incoming, options);
      if (!incoming) return merged;
      const { args } = options;
      const hasEdges = existing?.hasEdges === true || incoming.edges !== undefined;
      if (!incoming.nodes) return { ...merged, hasEdges };
      // How many nodes stand before the page behind a cursor.
      const starts = args?.after ? { ...existing?.starts } : {};
      // As \`relayStylePagination\` does, a page behind a cursor that is not known goes to the end.
      const before = args?.after ? (existing?.nodes?.slice(0, starts[args.after]) ?? []) : [];
      const nodes = [...before, ...incoming.nodes];
      if (incoming.pageInfo?.endCursor) starts[incoming.pageInfo.endCursor] = nodes.length;
      return { ...merged, hasEdges, nodes, starts };
    },
  };
}

/** @type {import('@apollo/client').TypePolicies} */
export const typePolicies = {
${embedded.join('')}${lists.join('')}};

/** The types of each interface, for fragments on it. */
export const possibleTypes = {
${possible.join('')}};
`;
}

/** As wide as this project's own code. */
const LINE_WIDTH = 110;

/** @param {GraphQLField<unknown, unknown>} field */
function listPolicy({ name, args }) {
  const keyArgs = args
    .map((argument) => argument.name)
    .filter((argument) => !PAGE_ARGUMENTS.includes(argument));
  const line = `      ${name}: list([${quoted(keyArgs)}]),\n`;
  if (line.length <= LINE_WIDTH) return line;
  return `      ${name}: list([\n${keyArgs.map((argument) => `        '${argument}',\n`).join('')}      ]),\n`;
}

/** @param {readonly string[]} names */
function quoted(names) {
  return names.map((name) => `'${name}'`).join(', ');
}

/**
 * Those without an id. Connections, with their edges, belong to their lists.
 * @param {GraphQLSchema} schema
 * @returns {GraphQLObjectType[]}
 */
function embeddedTypes(schema) {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const connections = objectTypes(schema).filter(isConnection);
  const parts = connections.flatMap((type) =>
    ['edges', 'pageInfo']
      .map((name) => type.getFields()[name])
      .map((field) => field && getNamedType(field.type)),
  );
  return objectTypes(schema)
    .filter((type) => !('id' in type.getFields()))
    .filter((type) => ![...roots, ...connections, ...parts].includes(type))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * The fields that are lists, by the type that has them.
 * @param {GraphQLSchema} schema
 * @returns {[string, GraphQLField<unknown, unknown>[]][]}
 */
function listsByType(schema) {
  return objectTypes(schema).flatMap((type) => {
    const lists = Object.values(type.getFields()).filter((field) => isConnection(getNamedType(field.type)));
    return lists.length > 0 ? [[type.name, lists]] : [];
  });
}

/** @param {GraphQLSchema} schema */
function objectTypes(schema) {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !isIntrospectionType(type));
}

/** @param {unknown} type */
function isConnection(type) {
  return isObjectType(type) && 'pageInfo' in type.getFields();
}
