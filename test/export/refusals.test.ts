import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { ADMINISTRATION, BEARER, freshGateway, useGateway } from '../support/gateway.ts';
import { DEBTORS, fetchExport } from './support.ts';

const gateway = await useGateway();

const inList = (rows: string, args = '') =>
  `{ debtors(administrationId: "${ADMINISTRATION}"${args}) { ${rows} } }`;

interface Refusal {
  readonly errors: readonly [{ readonly message: string; readonly extensions: { readonly code: string } }];
}

async function refusalOf(response: Response) {
  expect(response.headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json/);
  const { errors }: Refusal = await response.json();
  const [{ message, extensions }] = errors;
  return { status: response.status, code: extensions.code, message };
}

describe('an export rejects', () => {
  test.each([
    ['an operation without a list', '{ __typename }', 'The operation has no list.'],
    [
      'a record',
      '{ debtor(administrationId: "1001", by: { id: "300001" }) { name } }',
      '`name` is not a list',
    ],
    ['a list that is not a connection', '{ nodes(ids: []) { id } }', '`nodes` is not a list of records'],
    [
      'a field next to the list',
      `${DEBTORS.slice(0, -1)} viewer { company { name } } }`,
      'The operation has both `debtors` and `viewer`: leave one out.',
    ],
    ['`pageInfo` alone', inList('pageInfo { endCursor }'), '`debtors` has no `nodes`'],
    [
      '`nodes` and `edges`',
      inList('nodes { id } edges { cursor }'),
      '`debtors` has both `nodes` and `edges`',
    ],
    [
      'a list inside the rows',
      inList('nodes { administration { debtors { nodes { id } } } }'),
      '`administration.debtors` is a second list',
    ],
    [
      'one name for two columns',
      inList('edges { name: cursor node { name } }'),
      'Two columns are named `name`',
    ],
    [
      'a mutation',
      'mutation { introspectToken(input: { token: "x" }) { __typename } }',
      'The operation is not a query.',
    ],
  ])('%s', async (_what, query, problem) => {
    const refusal = await refusalOf(await fetchExport(gateway, 'csv', query));
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    expect(refusal.message).toContain('An export takes a query of one list');
    expect(refusal.message).toContain(problem);
    expect(gateway.calls()).toEqual([]);
  });

  test.each([
    ['cursor=yes', '`cursor` takes 1 or 0'],
    ['sep=;', 'There is no option `sep` for csv: it takes `bom`, `separator`,'],
    ['separator=', '`separator` takes'],
    ['decimal=;', '`decimal` takes a point or a comma'],
    ['bom=1', 'There is no option `bom` for ndjson: it takes `cursor`, `after`.', 'ndjson'],
  ])('%s', async (search, problem, format = 'csv') => {
    const options = Object.fromEntries(new URLSearchParams(search));
    const refusal = await refusalOf(
      await fetchExport(gateway, format === 'csv' ? 'csv' : 'ndjson', DEBTORS, { options }),
    );
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    expect(refusal.message).toContain(problem);
    expect(gateway.calls()).toEqual([]);
  });

  test.each([
    ['a request without a credential', DEBTORS, {}, 401, 'UNAUTHENTICATED'],
    ['a foreign administration', DEBTORS.replace('1001', '2001'), BEARER, 403, 'FORBIDDEN'],
    ['`first` of none', inList('nodes { id }', ', first: 0'), BEARER, 400, 'BAD_USER_INPUT'],
    ['an invalid cursor', inList('nodes { id }', ', after: "x"'), BEARER, 400, 'BAD_USER_INPUT'],
    ['a document that is not valid', '{ debtors { nodes } }', BEARER, 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['a syntax error', '{', BEARER, 400, 'GRAPHQL_PARSE_FAILED'],
  ])('%s, with the status of the error', async (_what, query, headers, status, code) => {
    for (const format of ['csv', 'ndjson'] as const) {
      const response = await fetchExport(gateway, format, query, { headers });
      expect(await refusalOf(response)).toMatchObject({ status, code });
    }
  });

  test.each([
    [{ kind: 'status', status: 500, times: 10 } as const, 502, 'UPSTREAM_UNAVAILABLE'],
    [
      { kind: 'status', status: 429, headers: { 'retry-after': '7' }, times: 10 } as const,
      429,
      'RATE_LIMITED',
    ],
    [{ kind: 'body', body: '{}', times: 10 } as const, 502, 'UPSTREAM_INVALID_RESPONSE'],
  ])('a request that fails before the first row: %j', async (fault, status, code) => {
    const fresh = await freshGateway();
    fresh.rest.misbehave(fault);
    const response = await fetchExport(fresh, 'csv', DEBTORS);
    expect(await refusalOf(response)).toMatchObject({ status, code });
    if (status === 429) expect(response.headers.get('retry-after')).toBe('7');
  });
});

test('other paths and methods are handled as without exports', async () => {
  for (const path of ['.xml', '.csv/', '.CSV', '/x.csv'])
    expect((await fetch(`${gateway.url}${path}`)).status).toBe(404);
  const put = await fetch(`${gateway.url}.csv`, { method: 'PUT', body: '' });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST']);
});

test('a gateway with trusted documents exports them by hash, and no others', async () => {
  const trusted = await freshGateway({
    gateway: { trustedDocuments: new Map([['abc', DEBTORS.replace('1001"', '1001", first: 2')]]) },
  });
  const byHash = await fetch(`${trusted.url}.csv?documentId=abc&variables=%7B%7D`, { headers: BEARER });
  expect(parse(await byHash.text())).toHaveLength(3);
  const byText = await fetch(`${trusted.url}.csv?query=${encodeURIComponent(DEBTORS)}`, { headers: BEARER });
  expect(await refusalOf(byText)).toMatchObject({ status: 400, code: 'TRUSTED_DOCUMENT_REQUIRED' });
});
