// @ts-check
import { ADMINISTRATION_ID, debtorId, moment } from '../rest-simulator/records.mjs';
import { documents } from './documents.js';
import { shapes } from './shapes.mjs';

/** @typedef {import('./shapes.mjs').Requests} Requests */
/** @typedef {Requests & { key: string, title: string, calls: number }} Workload With the REST calls of one request. */
/** @typedef {(id: string) => string} IdOf */
/** @typedef {{ key: keyof typeof documents, title: string, calls: number, variables: (set: number, idOf: IdOf) => Record<string, unknown> }} Question */

/** More than there are connections. */
const SETS = 32;
/** The same where growth is measured. */
const MANY_SETS = 1_000;

/** @type {readonly [Question, ...Question[]]} */
export const questions = [
  { key: 'W1', title: '100 debtors, 6 fields', calls: 1, variables: (set) => page(100, set) },
  { key: 'W2', title: '500 debtors, 26 fields', calls: 1, variables: (set) => page(500, set) },
  {
    key: 'W3',
    title: '100 deleted credit cases, each with its debtor',
    calls: 2,
    variables: (set) => ({ first: 100, deletedAfter: moment(set * 25) }),
  },
  {
    key: 'W4',
    title: 'one debtor by id',
    calls: 1,
    variables: (set, idOf) => ({ id: idOf(debtorId(set * 311)) }),
  },
  {
    key: 'W5',
    title: 'ten debtors by id, each with a selection of its own',
    calls: 1,
    variables: (set, idOf) =>
      Object.fromEntries(
        Array.from({ length: 10 }, (_, index) => [`id${index}`, idOf(debtorId(set + index * 613))]),
      ),
  },
];

/** A page of debtors, each set another. @type {(first: number, set: number) => Record<string, unknown>} */
function page(first, set) {
  return { first, updatedAfter: moment(set * 7 * 150) };
}

/**
 * A question in one of the shapes, with one set of variables after the other.
 * @type {(question: Question, shape: string, count?: number) => Promise<Workload>}
 */
export async function workloadOf({ key, title, calls, variables }, shape, count = SETS) {
  const write = shapes[shape];
  if (!write) throw new TypeError(`--shape takes ${Object.keys(shapes).join(' or ')}, not ${shape}.`);
  const sets = Array.from({ length: count }, (_, set) => ({
    adm: ADMINISTRATION_ID,
    ...variables(set, shape === 'common' ? globalId : (id) => id),
  }));
  return { key, title, calls, ...(await write(documents[key], sets)) };
}

/** The first question at another length. @param {number} rows */
export function listOf(rows) {
  const calls = Math.ceil(rows / 500);
  const variables = (/** @type {number} */ set) => page(rows, set);
  return workloadOf({ key: 'W1', title: 'debtors', calls, variables }, 'common');
}

/** One debtor by id, each time another, by so many documents in turn. @type {(documents: number) => Promise<Workload>} */
export async function lookups(documents) {
  const key = 'W4';
  const variables = (/** @type {number} */ set) => ({ id: globalId(debtorId(set * 7)) });
  const workload = await workloadOf({ key, title: 'lookups', calls: 1, variables }, 'common', MANY_SETS);
  const bodies = workload.bodies.map((body, set) => body.replaceAll(key, `${key}_${set % documents}_`));
  return { ...workload, bodies };
}

/** @param {string} id */
function globalId(id) {
  return Buffer.from(`["Debtor","${ADMINISTRATION_ID}","${id}"]`).toString('base64url');
}
