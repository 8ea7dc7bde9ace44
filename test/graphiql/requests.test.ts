import { parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { buildRequestHeaders } from '../../src/graphiql/headers.ts';
import {
  describeExample,
  describeOtherAdministrations,
  getExamples,
  readLink,
  replaceAdministration,
  withAdministration,
} from '../../src/graphiql/tabs.ts';
import { exampleTabs } from '../../src/pages/examples.ts';
import { schema } from '../../src/schema/index.ts';

const NONE = { token: '', clientId: '', clientSecret: '' };
const ALL = { token: 'abc', clientId: 'id', clientSecret: 'sécret' };
const BASIC = `Basic ${Buffer.from('id:sécret').toString('base64')}`;

describe('the examples in GraphiQL', () => {
  const ids = { administrationId: '1', debtorNumber: 'D1', taskId: '2', messageIds: ['3'] };
  const settings = { endpoint: '/graphql', credentials: NONE, administrationId: '1', tabs: exampleTabs(ids) };
  const examples = getExamples(settings, '9');

  test.each(examples.map((example) => [describeExample(example).name, example.query ?? '']))(
    'are valid: %s',
    (_name, query) => {
      expect(validate(schema, parse(query))).toEqual([]);
    },
  );

  test('use the chosen administration and have a comment', () => {
    const variables = examples.flatMap((example) => (example.variables ? JSON.parse(example.variables) : []));
    const named = variables.map(({ administrationId, input }) => administrationId ?? input.administrationId);
    expect(named).toEqual(Array(12).fill('9'));
    expect(examples[0] && describeExample(examples[0])).toEqual({
      name: 'Debtors',
      comment: 'A page of debtors, with chosen fields',
    });
  });
});

test.each([
  ['nothing is given', NONE, {}, null, null],
  ['the credential bar has all', ALL, {}, 'Bearer abc', BASIC],
  ['the credential bar has half an application', { ...ALL, clientSecret: '' }, {}, 'Bearer abc', null],
  ['the tab names a token', ALL, { authorization: 'Bearer own' }, 'Bearer own', BASIC],
  ['the tab has another application', ALL, { 'X-CLIENT-AUTHORIZATION': 'Basic a' }, 'Bearer abc', 'Basic a'],
  ['the tab has an empty token', ALL, { Authorization: '' }, '', BASIC],
])('the headers of a request if %s', (_case, credentials, own, authorization, client) => {
  const headers = buildRequestHeaders(credentials, own);
  expect(headers.get('authorization')).toBe(authorization);
  expect(headers.get('x-client-authorization')).toBe(client);
  expect(headers.get('x-explain')).toBe('true');
});

describe('the administration in the variables:', () => {
  test.each([
    ['{"administrationId": "1", "first": 1}', '{"administrationId": "2", "first": 1}'],
    ['{\n  "administrationId" : "1" // mine\n}', '{\n  "administrationId" : "2" // mine\n}'],
    ['{"input":{"administrationId":"1"}}', '{"input":{"administrationId":"2"}}'],
    ['{"administrationId": "1", "after": "c\\"d"}', '{"administrationId": "2", "after": null}'],
    ['{"administrationId": "10", "after": "c"}', '{"administrationId": "10", "after": "c"}'],
  ])('choosing another one changes %j to %j', (variables, changed) =>
    expect(replaceAdministration({ variables }, '1', '2').variables).toBe(changed),
  );

  test.each([
    ['a: $administrationId', { administrationId: '1' }, undefined],
    ['a: $administrationId', { administrationId: '2' }, 'administration 2'],
    ['a: $input', { administrationId: '1', input: { administrationId: '3' } }, 'administration 3'],
    ['{ debtors(administrationId: "2") { nodes { name } } }', undefined, 'administration 2'],
    ['{ a(administrationId: "1") b(administrationId: "2") }', undefined, 'administrations 1 and 2'],
    ['{ debtors(administrationId: $administrationId, name: "2") { nodes { name } } }', {}, undefined],
  ])('%j with %j names other administrations: %j', (query, variables, others) =>
    expect(describeOtherAdministrations(query, variables, '1')).toBe(others),
  );

  test.each([
    ['query ($administrationId: ID!) { a }', undefined, { administrationId: '1' }],
    ['query ($first: Int, $administrationId : ID!) { a }', { first: 2 }, { first: 2, administrationId: '1' }],
    ['query ($administrationId: ID!) { a }', { administrationId: '2' }, { administrationId: '2' }],
    ['{ a(administrationId: $administrationId first: 1) }', { first: 2 }, { first: 2 }],
  ])('the page sends %s with %j as %j', (query, variables, sent) => {
    expect(withAdministration({ query, variables }, '1').variables).toEqual(sent);
    expect(withAdministration({ query, variables }, '').variables).toEqual(variables);
  });
});

test.each([
  ['#query=%7Ba%7D&headers=%7B%22X%22%3A1%7D&token=abc', '{a}', ''],
  ['#query=%7B+a+%7D&variables=%7B%22e%22%3A+%22%C3%A9%22%7D', '{ a }', '{"e": "é"}'],
])('the link %j opens %j with %j and no headers', (hash, query, variables) => {
  expect(readLink(hash)).toEqual({ query, variables, headers: null });
});

test.each(['', '#query=%20', '#section'])('the link %j opens nothing', (hash) =>
  expect(readLink(hash)).toBeUndefined(),
);
