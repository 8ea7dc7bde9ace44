import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { isObject } from '../../src/rest/json.ts';
import { ADMINISTRATION, BOTH, freshGateway, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import type { Fault } from '../support/rest-service.mjs';
import { casesOf } from '../support/search.ts';
import { times } from '../support/times.ts';

/** A refresh token works once, so an issued one that is missing in the answer is lost for good. */
const gateway = await useGateway({ gateway: { restTimeoutMs: 300 } });
const { rest } = gateway;

const change = (members: object): Fault => ({
  kind: 'rewrite',
  rewrite: (body) => (isObject(body) ? { ...body, ...members } : body),
});

/** What the service may do, whatever the call. */
const FAULTS: Fault[] = [
  { kind: 'status', status: 401 },
  { kind: 'status', status: 403 },
  { kind: 'status', status: 429 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'reset' },
  { kind: 'truncate' },
  { kind: 'status', status: 307, headers: { location: 'http://127.0.0.1:9/' } },
  { kind: 'body', body: 'no JSON' },
  { kind: 'body', body: '[]' },
  { kind: 'body', body: 'null' },
  change({ active: 'yes', id: 5, success: 'yes', count: -1, errors: ['boom'] }),
  change({ scope: 5, created_at: 'now', expires_in: -1e99, token_type: {} }),
  change({ company: 7, administrations: [{}, 5], exp: 'never', iat: 1e99 }),
];

/** Of a token answer, what may be broken while the new refresh token is there. */
const BROKEN_BESIDE: Fault[] = [
  change({ access_token: undefined }),
  change({ access_token: null }),
  change({ access_token: 5 }),
  change({ scope: 5, created_at: 'now', expires_in: 'long', token_type: 7 }),
];

const [task] = rest.data.tasks;
const OTHERS: { readonly field: string; readonly path: RegExp }[] = [
  {
    field:
      'introspectToken(input: { token: "x" }) { active scopes company { name } administrations { id } expiresAt }',
    path: /introspect/,
  },
  {
    field: `unmarkTaskCompleted(input: { taskId: "${present(task).id}" }) { task { id comments { id } debtor { name } } }`,
    path: /tasks/,
  },
  {
    field: `updateMessages(input: { administrationId: "${ADMINISTRATION}", messages: [{ id: "1", read: true }] }) {
      success count errors { recordId messages } warnings { recordId } }`,
    path: /messages/,
  },
  { field: 'updateMessages(input: { administrationId: "", messages: [] }) { count }', path: /nothing/ },
];
const refreshOf = (token: string) => `refreshAccessToken(input: { refreshToken: "${token}" }) {
  token { accessToken refreshToken scopes createdAt expiresIn expiresAt } }`;

describe('a token that was issued', () => {
  test('is in the answer, whatever fails beside it', async () => {
    let current = demoCredentials.refreshToken;
    const other = fc.record({
      operation: fc.constantFrom(...OTHERS),
      fault: fc.option(fc.constantFrom(...FAULTS)),
    });
    const property = fc.asyncProperty(
      fc.array(other, { maxLength: 3 }),
      fc.array(other, { maxLength: 3 }),
      fc.option(fc.constantFrom(...BROKEN_BESIDE)),
      async (before, after, broken) => {
        rest.behave();
        for (const { operation, fault } of [...before, ...after])
          if (fault) rest.misbehave({ ...fault, match: { path: operation.path } });
        if (broken) rest.misbehave({ ...broken, match: { path: /oauth\/token/ } });
        const fields = [...before.map(({ operation }) => operation.field), refreshOf(current)];
        fields.push(...after.map(({ operation }) => operation.field));
        const named = fields.map((field, index) => `f${index}: ${field}`);
        const { data } = await gateway.query(`mutation { ${named.join('\n')} }`, {}, BOTH);
        const { token } = present(Object(data)[`f${before.length}`]);
        expect(token.refreshToken).toEqual(expect.any(String));
        expect(token.refreshToken).not.toBe(current);
        current = token.refreshToken;
      },
    );
    await fc.assert(property, { numRuns: casesOf({ short: 8, long: 40 }), endOnFailure: true });
  });

  const DEBTORS = `introspectToken(input: { token: "${demoCredentials.accessToken}" }) {
    administrations { debtors(first: 100) { nodes { id name postalAddress { city } } } } }`;
  const MESSAGES = `updateMessages(input: { administrationId: "${ADMINISTRATION}", messages: { id: "1", read: true } }) {
    errors { recordId messages } }`;
  const manyMessages = Object.fromEntries(times(400, (index) => [`record${index}`, ['a']]));

  test.each([
    ['long values', { maxAnswerBytes: 5_000 }, DEBTORS],
    ['long keys', { maxAnswerBytes: 1_000 }, DEBTORS],
    ['more values than were foreseen', { maxValues: 350 }, MESSAGES],
  ])('is in the answer beside fields with %s', async (_, limits, field) => {
    const { query, rest: own } = await freshGateway({ gateway: limits });
    own.misbehave({ ...change({ errors: manyMessages }), times: 2, match: { path: '/v1/messages' } });
    const answer = await query(
      `mutation { a: ${field} b: ${refreshOf(demoCredentials.refreshToken)} c: ${field} }`,
      {},
      BOTH,
    );
    expect(answer.data).toMatchObject({
      a: null,
      b: { token: { refreshToken: 'demo-refresh-token-2' } },
      c: null,
    });
    expect(answer.errors).toMatchObject(
      ['a', 'c'].map((key) => ({ path: [key], extensions: { code: 'OPERATION_TOO_EXPENSIVE' } })),
    );
    expect(answer.errors?.[0]?.message).toContain('do not send it again');
  });
});
