import { describe, expect, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, BASIC, BEARER, useGateway } from '../support/gateway.ts';

const gateway = await useGateway({ gateway: { cacheTtlMs: 60_000 } });

/** The answer to a body that is sent as it is written here. */
async function post(body: string) {
  const response = await gateway.post(body, BEARER);
  return response.json();
}

/** What one request leaves behind must never answer another. */
describe('two requests that differ', () => {
  test('in texts that hold the values of conditions have plans of their own', async () => {
    const query = `
      query A($x1: Boolean!, $y: Boolean!, $x2: Boolean!) {
        a: __typename @include(if: $x1) b: __typename @include(if: $y) c: __typename @include(if: $x2)
      }
      query B($x1: String!, $y: Boolean!, $x2: String!) {
        debtors(administrationId: "${ADMINISTRATION}", debtorNumbers: [$x1, $x2]) { nodes { id } }
        shown: __typename @include(if: $y)
      }`;
    const run = (x1: string, y: boolean, x2: string) =>
      post(JSON.stringify({ query, operationName: 'B', variables: { x1, y, x2 } }));
    expect((await run('a true', false, 'b')).data).not.toHaveProperty('shown');
    expect((await run('a', true, 'false b')).data).toHaveProperty('shown', 'Query');
  });

  test('in null and a number that is too large have responses of their own', async () => {
    const query = `query ($first: Int) { debtors(administrationId: "${ADMINISTRATION}", first: $first) { nodes { id } } }`;
    const run = (first: string) => post(`{"query":${JSON.stringify(query)},"variables":{"first":${first}}}`);
    for (let times = 0; times < 3; times += 1) expect(await run('null')).not.toHaveProperty('errors');
    expect(codesOf(await run('1e999'))).toEqual(['BAD_USER_INPUT']);
    expect(await run('null')).not.toHaveProperty('errors');
  });

  test('in half a surrogate pair and U+FFFD are parsed on their own', async () => {
    const run = (character: string) => post(`{"query":"{ __typename } # ${character}"}`);
    expect(codesOf(await run('\\ud800'))).toEqual(['GRAPHQL_PARSE_FAILED']);
    expect(await run('\\ufffd')).toMatchObject({ data: { __typename: 'Query' } });
  });

  test('in halves of surrogate pairs are two refreshes', async () => {
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 100, times: 2 });
    const refresh =
      'mutation ($token: String!) { refreshAccessToken(input: { refreshToken: $token }) { token { expiresIn } } }';
    const answers = await Promise.all(
      ['\ud800', '\udbff'].map((half) =>
        gateway.query(refresh, { token: `${demoCredentials.refreshToken}${half}` }, BASIC),
      ),
    );
    expect(answers.map(codesOf)).toEqual([['BAD_USER_INPUT'], ['BAD_USER_INPUT']]);
    expect(gateway.calls()).toHaveLength(2);
  });

  test('in where the type of an id ends and its administration begins are two lookups', async () => {
    const ids = [
      encodeGlobalId({ type: 'Debtor x', administration: 'y', id: '1' }),
      encodeGlobalId({ type: 'Debtor', administration: 'x y', id: '1' }),
    ];
    const answer = await gateway.query('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(answer.errors).toMatchObject([
      { path: ['nodes', 0], extensions: { code: 'BAD_USER_INPUT' } },
      { path: ['nodes', 1], extensions: { code: 'FORBIDDEN' } },
    ]);
    expect(gateway.calls()).toMatchObject([{ administration_id: 'x y', ids: '1' }]);
  });
});
