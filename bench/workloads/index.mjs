// @ts-check
import { ADMINISTRATION_ID, debtorId } from '../rest-simulator/records.mjs';
import { sentByApollo } from './clients/apollo.mjs';
import { documents } from './clients/documents.js';
import { compileForRelay, sentByRelay } from './clients/relay.mjs';
import { restName } from './names.mjs';
import { asGraphql, inGraphql, inMesh, inRest } from './selection.mjs';

/** @typedef {import('./selection.mjs').Selection} Selection */

/** @typedef {{ body: string, headers?: Record<string, string> }} GraphqlRequest */

/**
 * One question as a client sends it; in its plain form also in up to two more languages, with how to read the answer to
 * those as the gateway's `data`. What a kind of server cannot answer is left out.
 * @typedef {object} Workload
 * @property {string} key
 * @property {string} title
 * @property {GraphqlRequest} graphql
 * @property {{ query: string, data(answer: any): unknown }} [mesh]
 * @property {{ path: string, data(page: any): unknown }} [rest]
 */

/** @typedef {'plain' | 'apollo' | 'relay'} Shape */
/** @typedef {{ key: keyof typeof documents, variables: Record<string, unknown>, plain: Workload }} Question */

/** @type {readonly Shape[]} */
export const shapes = ['plain', 'apollo', 'relay'];

const OURS = `administrationId: "${ADMINISTRATION_ID}"`;
const MESH = `administration_id: "${ADMINISTRATION_ID}"`;

/** @type {Selection} */
const SIX_FIELDS = ['internalId', 'debtorNumber', 'name', 'bookOpenAmount', 'paymentBehaviour', 'updatedAt'];

// biome-ignore format: as a paragraph it is seen at once
/** @type {Selection} */
const TWENTY_SIX_FIELDS = [
  'internalId', 'administrationId', 'debtorNumber', 'debtorIdentifier', 'name',
  { postalAddress: ['city', 'countryCode', 'postalCode', 'street1'] }, 'bankAccountNumber', 'bookOpenAmount',
  'callPhoneNumber', 'smsPhoneNumber', 'cocNumber', 'vatNumber', 'creditLimitAmount', 'primaryEmailAddress',
  'invoiceEmailAddress', 'reminderEmailAddress', 'publicUrl', { labels: ['name'] }, 'languageCode',
  'paymentBehaviour', 'peppolIdentifier', 'peppolEnabled', 'relationManager', 'remark', 'pausedAt', 'updatedAt',
];

const ONE = debtorId(4_321);
const TEN = Array.from({ length: 10 }, (_, index) => debtorId(index * 613));

/** @type {readonly Question[]} */
export const questions = [
  {
    key: 'W1',
    variables: { administrationId: ADMINISTRATION_ID, first: 100 },
    plain: debtorList('W1', '100 debtors, 6 fields', 100, SIX_FIELDS),
  },
  {
    key: 'W2',
    variables: { administrationId: ADMINISTRATION_ID, first: 500 },
    plain: debtorList('W2', '500 debtors, 26 fields', 500, TWENTY_SIX_FIELDS),
  },
  {
    key: 'W3',
    variables: { administrationId: ADMINISTRATION_ID, first: 100 },
    plain: creditCases('W3', '100 deleted credit cases, each with its debtor', 100),
  },
  {
    key: 'W4',
    variables: { administrationId: ADMINISTRATION_ID, id: ONE },
    plain: oneDebtor('W4', 'one debtor by id'),
  },
  {
    key: 'W5',
    variables: {
      administrationId: ADMINISTRATION_ID,
      ...Object.fromEntries(TEN.map((id, index) => [`id${index}`, id])),
    },
    plain: tenDebtors('W5', 'ten debtors by id, each with a selection of its own'),
  },
];

/**
 * The questions as each client sends them. Plain is what one writes by hand: `nodes` of just the fields wanted.
 * @param {readonly Question[]} asked
 * @param {readonly Shape[]} wanted
 */
export async function workloadsOf(asked, wanted) {
  if (wanted.includes('relay')) compileForRelay();
  /** @type {Workload[]} */
  const workloads = [];
  for (const { key, variables, plain } of asked) {
    for (const shape of wanted) {
      if (shape === 'plain') {
        workloads.push(plain);
        continue;
      }
      const graphql = await (shape === 'apollo'
        ? sentByApollo(documents[key], variables)
        : sentByRelay(key, variables));
      const client = shape === 'apollo' ? 'Apollo Client' : 'Relay';
      workloads.push({ key: `${key} ${shape}`, title: `${plain.title}, as ${client} asks`, graphql });
    }
  }
  return workloads;
}

/**
 * The first workload at another length.
 * @param {number} rows
 */
export function listOf(rows) {
  return debtorList(`${rows} rows`, `${rows} debtors, 6 fields`, rows, SIX_FIELDS);
}

/**
 * @param {string} key
 * @param {string} title
 * @param {number} first
 * @param {Selection} selection
 * @returns {Workload}
 */
function debtorList(key, title, first, selection) {
  return {
    key,
    title,
    graphql: asked(`query Bench { debtors(${OURS}, first: ${first}) { nodes { ${inGraphql(selection)} } } }`),
    mesh: {
      query: `query Bench { debtors(${MESH}, per_page: ${first}, ${meshFields(selection)}) { nodes: data { ${inMesh(selection)} } } }`,
      data: (answer) => answer,
    },
    rest: {
      path: restPath({ fields: inRest(selection), per_page: String(first) }),
      data: (page) => ({
        debtors: { nodes: page.data.map((/** @type {any} */ row) => asGraphql(row, selection)) },
      }),
    },
  };
}

/**
 * @param {string} key
 * @param {string} title
 * @param {number} first
 * @returns {Workload}
 */
function creditCases(key, title, first) {
  const debtor = ['internalId', 'name', 'bookOpenAmount'];
  const own = ['internalId', 'deletedAt'];
  // Mesh loses the aliases of a batched join, so there the REST names stand as they are.
  const joined = debtor.map(restName).join(' ');
  const args = `${MESH}, per_page: ${first}`;
  return {
    key,
    title,
    graphql: asked(
      `query Bench { deletedCreditCases(${OURS}, first: ${first}) { nodes { ${inGraphql([...own, { debtor }])} } } }`,
    ),
    mesh: {
      query: `query Bench { deletedCreditCases(${args}) { nodes: data { ${inMesh(own)} debtor(${args}, ${meshFields(debtor)}) { ${joined} } } } }`,
      data: ({ deletedCreditCases: { nodes } }) => ({
        deletedCreditCases: {
          nodes: nodes.map((/** @type {any} */ node) => ({
            ...node,
            debtor: asGraphql(node.debtor, debtor),
          })),
        },
      }),
    },
  };
}

/**
 * @param {string} key
 * @param {string} title
 * @returns {Workload}
 */
function oneDebtor(key, title) {
  const selection = SIX_FIELDS;
  return {
    key,
    title,
    graphql: asked(`query Bench { debtor(${OURS}, by: { id: "${ONE}" }) { ${inGraphql(selection)} } }`),
    mesh: {
      query: `query Bench { debtor: ${meshLookup(ONE, selection)} }`,
      data: firstOfEach,
    },
    rest: {
      path: restPath({ ids: ONE, fields: inRest(selection), per_page: '1' }),
      data: (page) => ({ debtor: asGraphql(page.data[0], selection) }),
    },
  };
}

/**
 * @param {string} key
 * @param {string} title
 * @returns {Workload}
 */
function tenDebtors(key, title) {
  const lookups = TEN.map((id, index) => ({
    alias: `debtor${index}`,
    id,
    selection: TWENTY_SIX_FIELDS.slice(index, index + 6),
  }));
  const ours = lookups.map(
    ({ alias, id, selection }) =>
      `${alias}: debtor(${OURS}, by: { id: "${id}" }) { ${inGraphql(selection)} }`,
  );
  const mesh = lookups.map(({ alias, id, selection }) => `${alias}: ${meshLookup(id, selection)}`);
  return {
    key,
    title,
    graphql: asked(`query Bench { ${ours.join(' ')} }`),
    mesh: { query: `query Bench { ${mesh.join(' ')} }`, data: firstOfEach },
  };
}

/**
 * @param {string} query
 * @returns {GraphqlRequest}
 */
function asked(query) {
  return { body: JSON.stringify({ query }) };
}

/**
 * @param {string} id
 * @param {Selection} selection
 */
function meshLookup(id, selection) {
  return `debtors(${MESH}, ids: ["${id}"], per_page: 1, ${meshFields(selection)}) { data { ${inMesh(selection)} } }`;
}

/** @param {Selection} selection */
function meshFields(selection) {
  return `fields: ${JSON.stringify(inRest(selection))}`;
}

/** @param {Record<string, string>} parameters */
function restPath(parameters) {
  return `/v1/debtors?${new URLSearchParams({ administration_id: ADMINISTRATION_ID, ...parameters })}`;
}

/**
 * OpenAPI knows lists alone, so a record by id comes as a list of one.
 * @param {Record<string, { data: unknown[] }>} answer
 */
function firstOfEach(answer) {
  return Object.fromEntries(Object.entries(answer).map(([name, { data }]) => [name, data[0]]));
}
