// @ts-check
import { ADMINISTRATION_ID, debtorId } from '../rest-simulator/records.mjs';
import { restName } from './names.mjs';
import { asGraphql, inGraphql, inMesh, inRest } from './selection.mjs';

/** @typedef {import('./selection.mjs').Selection} Selection */

/**
 * One question in up to three languages, and how to read the answer to it as the gateway's `data`. What a
 * kind of server cannot answer is left out.
 * @typedef {object} Workload
 * @property {string} key
 * @property {string} title
 * @property {string} graphql
 * @property {{ query: string, data(answer: any): unknown }} [mesh]
 * @property {{ path: string, data(page: any): unknown }} [rest]
 */

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

/** @type {readonly Workload[]} */
export const workloads = [
  debtorList('W1', '100 debtors, 6 fields', 100, SIX_FIELDS),
  debtorList('W2', '500 debtors, 26 fields', 500, TWENTY_SIX_FIELDS),
  creditCases('W3', '100 deleted credit cases, each with its debtor', 100),
  oneDebtor('W4', 'one debtor by id'),
  tenDebtors('W5', 'ten debtors by id, each with a selection of its own'),
];

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
    graphql: `query Bench { debtors(${OURS}, first: ${first}) { nodes { ${inGraphql(selection)} } } }`,
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
    graphql: `query Bench { deletedCreditCases(${OURS}, first: ${first}) { nodes { ${inGraphql([...own, { debtor }])} } } }`,
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
  const id = debtorId(4_321);
  const selection = SIX_FIELDS;
  return {
    key,
    title,
    graphql: `query Bench { debtor(${OURS}, by: { id: "${id}" }) { ${inGraphql(selection)} } }`,
    mesh: {
      query: `query Bench { debtor: ${meshLookup(id, selection)} }`,
      data: firstOfEach,
    },
    rest: {
      path: restPath({ ids: id, fields: inRest(selection), per_page: '1' }),
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
  const asked = Array.from({ length: 10 }, (_, index) => ({
    alias: `debtor${index}`,
    id: debtorId(index * 613),
    selection: TWENTY_SIX_FIELDS.slice(index, index + 6),
  }));
  const ours = asked.map(
    ({ alias, id, selection }) =>
      `${alias}: debtor(${OURS}, by: { id: "${id}" }) { ${inGraphql(selection)} }`,
  );
  const mesh = asked.map(({ alias, id, selection }) => `${alias}: ${meshLookup(id, selection)}`);
  return {
    key,
    title,
    graphql: `query Bench { ${ours.join(' ')} }`,
    mesh: { query: `query Bench { ${mesh.join(' ')} }`, data: firstOfEach },
  };
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
