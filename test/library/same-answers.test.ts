import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { ADMINISTRATION, BOTH, FOREIGN_ADMINISTRATION } from '../support/gateway.ts';
import { times } from '../support/times.ts';
import { codesIn, type LibraryGateway, read, useLibrary } from './support.ts';

/** It changes nothing, but has a hook wherever the gateway could take a shorter way without one. */
const NOTHING: Plugin = {
  onRequest: () => {},
  onRequestParse: () => {},
  onParams: () => {},
  onParse: () => () => {},
  onValidate: () => () => {},
  onContextBuilding: () => {},
  onExecute: () => ({ onExecuteDone: () => {} }),
  onExecutionResult: () => {},
  onResultProcess: () => {},
  onResponse: () => {},
};

const plain = await useLibrary();
const plugged = await useLibrary({ plugins: [NOTHING] });

const LIST = `query List { debtors(administrationId: "${ADMINISTRATION}", first: 5) { edges { cursor node { id name postalAddress { city } } } pageInfo { hasNextPage } } }`;

async function post(
  { gateway }: LibraryGateway,
  params: object,
  more: Readonly<Record<string, string>> = {},
) {
  const headers = { 'content-type': 'application/json', ...BOTH, ...more };
  const body = JSON.stringify(params);
  return read(await gateway.fetch('http://localhost/graphql', { method: 'POST', headers, body }));
}

/** All that a client gets, without what differs from request to request. */
async function seenBy(library: LibraryGateway, params: object, more: Readonly<Record<string, string>>) {
  const { status, headers, text } = await post(library, params, more);
  const volatile = /"requestId":"[^"]+"|"milliseconds":[\d.]+|dur=[\d.]+/g;
  const {
    'x-request-id': requestId,
    'content-length': _length,
    date: _date,
    ...others
  } = Object.fromEntries(headers);
  return {
    status,
    headers: JSON.stringify(others).replace(volatile, ''),
    hasRequestId: requestId !== undefined,
    text: text.replace(volatile, ''),
  };
}

const EXPLAINED = { 'x-explain': 'true' };
const OLD_TYPE = { accept: 'application/json' };
const NEW_TYPE = { accept: 'application/graphql-response+json' };

test.each<[string, object, Readonly<Record<string, string>>]>([
  ['a list', { query: LIST }, {}],
  ['a list that is cached', { query: LIST }, {}],
  ['a list, explained', { query: LIST }, EXPLAINED],
  [
    'a join',
    {
      query: `{ deletedCreditCases(administrationId: "${ADMINISTRATION}", first: 3) { nodes { debtor { name } } } }`,
    },
    {},
  ],
  [
    'lookups',
    {
      query: `query ($id: ID!) { a: debtor(administrationId: "${ADMINISTRATION}", by: { id: $id }) { name __typename } viewer { scopes } }`,
      variables: { id: '300001' },
    },
    {},
  ],
  [
    'a mutation',
    { query: 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } }' },
    {},
  ],
  ['introspection', { query: '{ __schema { queryType { name } } }' }, {}],
  ['a syntax error', { query: '{ nonsense' }, OLD_TYPE],
  ['a syntax error, of the new media type', { query: '{ nonsense' }, NEW_TYPE],
  ['an unknown field', { query: '{ nonsense }' }, OLD_TYPE],
  ['an unknown field, of the new media type', { query: '{ nonsense }' }, NEW_TYPE],
  ['an unknown operation', { query: LIST, operationName: 'Other' }, NEW_TYPE],
  [
    'a variable that does not fit',
    {
      query: 'query ($first: Int) { debtors(administrationId: "1", first: $first) { nodes { id } } }',
      variables: { first: 'x' },
    },
    NEW_TYPE,
  ],
  [
    'a bad argument',
    { query: `{ debtors(administrationId: "${ADMINISTRATION}", first: 0) { nodes { id } } }` },
    {},
  ],
  [
    'what is too expensive',
    {
      query: `{ ${times(60, (index) => `a${index}: debtors(administrationId: "${index}") { nodes { id } }`).join(' ')} }`,
    },
    {},
  ],
  [
    'another administration',
    { query: `{ debtors(administrationId: "${FOREIGN_ADMINISTRATION}") { nodes { id } } }` },
    {},
  ],
  ['no document', {}, {}],
  ['a list of operations', [{ query: LIST }], {}],
  ['variables that are no object', { query: LIST, variables: [1] }, {}],
  ['a type that is not served', { query: LIST }, { accept: 'text/html' }],
])('a gateway with a plugin answers as one without: %s', async (_what, params, headers) => {
  expect(await seenBy(plugged, params, headers)).toEqual(await seenBy(plain, params, headers));
  expect(plugged.calls()).toEqual(plain.calls());
});

const bounded = await useLibrary({ plugins: [NOTHING] }, { MAX_ANSWER_BYTES: '1000' });

test('a gateway with a plugin bounds its answers, and tells of writes that were made', async () => {
  const { status, body } = await post(bounded, { query: LIST.replace('first: 5', 'first: 100') });
  expect(status).toBe(400);
  expect(codesIn({ body })).toEqual(['OPERATION_TOO_EXPENSIVE']);
  const subjects = times(100, (index) => `s${index}: subject`).join(' ');
  const write = `mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { ${subjects} } } }`;
  const answer = await post(bounded, { query: write });
  expect(answer).toMatchObject({ status: 200, body: { data: { unmarkTaskCompleted: null } } });
  expect(answer.body.errors?.[0]?.message).toContain('its writes were made');
});
