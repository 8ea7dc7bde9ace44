import { describe, expect, test } from 'vitest';
import { namesCredential, requestHeaders } from '../../src/graphiql/curl.ts';
import { formatTiming } from '../../src/graphiql/explain.ts';
import { readReach } from '../../src/graphiql/session.ts';
import { otherAdministration, replaceAdministration, withAdministration } from '../../src/graphiql/tabs.ts';

const NONE = { token: '', clientId: '', clientSecret: '' };
const ALL = { token: 'abc', clientId: 'id', clientSecret: 'sécret' };
const BASIC = `Basic ${Buffer.from('id:sécret').toString('base64')}`;

describe('the headers of a request', () => {
  test.each([
    ['nothing is given', NONE, {}, null, null],
    ['the strip has all', ALL, {}, 'Bearer abc', BASIC],
    ['the strip has a token alone', { ...NONE, token: 'abc' }, {}, 'Bearer abc', null],
    ['the strip has an application alone', { ...ALL, token: '' }, {}, null, BASIC],
    ['the tab names a token', ALL, { authorization: 'Bearer own' }, 'Bearer own', BASIC],
    [
      'the tab names an application',
      ALL,
      { 'X-CLIENT-AUTHORIZATION': 'Basic own' },
      'Bearer abc',
      'Basic own',
    ],
    ['the tab names a token, the strip none', NONE, { Authorization: 'Bearer own' }, 'Bearer own', null],
    ['the tab takes the token away', ALL, { Authorization: '' }, '', BASIC],
  ])('where %s', (_case, credentials, own, authorization, client) => {
    const headers = requestHeaders(credentials, own);
    expect(headers.get('authorization')).toBe(authorization);
    expect(headers.get('x-client-authorization')).toBe(client);
    expect(headers.get('x-explain')).toBe('true');
  });

  test.each([
    [{}, false],
    [{ 'X-Explain': 'false' }, false],
    [{ AUTHORIZATION: 'Bearer own' }, true],
    [{ 'x-client-authorization': 'Basic own' }, true],
  ])('%j names a credential: %j', (own, told) => expect(namesCredential(own)).toBe(told));
});

describe('how long an answer took', () => {
  test.each([
    [
      343.4,
      'rest;dur=12;desc="1 call", cache;desc=miss, total;dur=15.2',
      '343 ms · gateway 15 ms · REST 12 ms',
    ],
    [4.26, 'rest;dur=0;desc="0 calls", cache;desc=hit, total;dur=0.4', '4.3 ms · gateway 0.4 ms · REST 0 ms'],
    [9.99, 'total;dur=1', '10 ms · gateway 1 ms'],
    [20, 'proxy;desc="a, b; dur=3";dur=7,total;desc=";dur=9";dur=1, cdn', '20 ms · gateway 1 ms'],
    [20, 'proxy;dur=7', '20 ms'],
    [20, 'total', '20 ms'],
    [20, '', '20 ms'],
    [20, null, '20 ms'],
  ])('%d ms with the header %j are shown as %j', (milliseconds, header, text) =>
    expect(formatTiming(milliseconds, header)).toBe(text),
  );
});

describe('the administration in variables', () => {
  test.each([
    ['{"administrationId": "1", "first": 1}', '{"administrationId": "2", "first": 1}'],
    ['{\n  "administrationId" : "1" // mine\n}', '{\n  "administrationId" : "2" // mine\n}'],
    ['{"input":{"administrationId":"1"}}', '{"input":{"administrationId":"2"}}'],
    ['{"administrationId": "10"}', '{"administrationId": "10"}'],
    ['{"otherId": "1"}', '{"otherId": "1"}'],
    ['{"administrationId": ', '{"administrationId": '],
    ['', ''],
  ])('%j becomes %j', (variables, changed) =>
    expect(replaceAdministration(variables, '1', '2')).toBe(changed),
  );

  test('is written with the escapes of JSON', () => {
    const variables = replaceAdministration('{"administrationId":""}', '', '"\\');
    expect(JSON.parse(variables)).toEqual({ administrationId: '"\\' });
    expect(replaceAdministration(variables, '"\\', '')).toBe('{"administrationId":""}');
  });

  test.each([
    ['{"administrationId": "1"}', undefined],
    ['{"administrationId": "2"}', '2'],
    ['{"administrationId": "1", "input": {"administrationId": "3"}}', '3'],
    ['{"first": 1}', undefined],
    ['{"administrationId": ', undefined],
    ['{ debtors(administrationId: "2") { nodes { name } } }', '2'],
    ['{ debtors(administrationId: "1") { nodes { name } } }', undefined],
    ['{ debtors(administrationId: $administrationId, name: "2") { nodes { name } } }', undefined],
  ])('%j names another than the chosen one: %j', (variables, other) =>
    expect(otherAdministration(variables, '1')).toBe(other),
  );
});

test.each([
  ['query ($administrationId: ID!) { a }', undefined, { administrationId: '1' }],
  ['query ($first: Int, $administrationId : ID!) { a }', { first: 2 }, { first: 2, administrationId: '1' }],
  ['query ($administrationId: ID!) { a }', { administrationId: '2' }, { administrationId: '2' }],
  ['{ a(administrationId: $administrationId first: 1) }', { first: 2 }, { first: 2 }],
])('%s with %j is sent with %j', (query, variables, sent) => {
  expect(withAdministration({ query, variables }, '1').variables).toEqual(sent);
  expect(withAdministration({ query, variables }, '').variables).toEqual(variables);
});

describe('what a token reaches', () => {
  const error = (code: string) => ({
    errors: [{ message: 'Said.', extensions: { code } }],
    data: { viewer: null },
  });

  test('is read from `viewer`', () => {
    const administrations = [{ internalId: '1', name: 'One' }, { internalId: '2', name: null }, null];
    expect(readReach({ data: { viewer: { company: { name: 'All' }, administrations } } })).toEqual({
      administrations: [
        { id: '1', name: 'One' },
        { id: '2', name: null },
      ],
      note: 'Company: All',
      isRefused: false,
    });
  });

  test.each([
    ['UNAUTHENTICATED', 'Token not accepted: mistyped, expired, or of another application?', true],
    ['FORBIDDEN', 'Token not accepted for the administration of the query.', true],
    ['UPSTREAM_TIMEOUT', 'Said.', false],
    ['NOT_CONFIGURED', expect.stringContaining('client id and secret'), false],
  ])('is unknown after %s, and the note says why', (code, note, isRefused) => {
    expect(readReach(error(code))).toEqual({ administrations: [], note, isRefused });
  });

  test.each([null, 'text', {}, { data: { viewer: null } }, { data: { viewer: {} } }])(
    'is unknown after %j',
    (body) => expect(readReach(body)).toEqual({ administrations: [], note: '', isRefused: false }),
  );
});
