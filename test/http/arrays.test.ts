import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import type { ReadResponse } from '../library/support.ts';
import { eventually } from '../support/eventually.ts';
import { BEARER, freshGateway } from '../support/gateway.ts';
import { createTestTelemetry, sampleOf } from '../support/telemetry.ts';
import { times } from '../support/times.ts';
import { ENDPOINT, JSON_BODY, LIST, TYPENAME, useFetchGateway, WRITE } from './support/fetch-gateway.ts';

const list = (first: number) =>
  `query List${first} { debtors(administrationId: "1001", first: ${first}) { nodes { name } } }`;
const rows = (first: number) => list(first).replace('name', 'id name remark internalId debtorNumber');
const SLOW = '{ declarationLines(administrationId: "1001", first: 1) { nodes { id } } }';
const NAMED = { data: { __typename: 'Query' } };

interface Result {
  readonly data?: { readonly debtors?: { readonly nodes: readonly object[] } };
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

function resultsIn({ text }: ReadResponse): readonly Result[] {
  const results = JSON.parse(text);
  if (!Array.isArray(results)) throw new TypeError(`no array: ${text}`);
  return results;
}
const codesOf = (answer: ReadResponse) =>
  resultsIn(answer).map(({ errors }) => errors?.map(({ extensions }) => extensions.code).join() ?? 'OK');

const gateway = await useFetchGateway();
const narrow = await useFetchGateway({ maxBatch: 2 });

test('an array gets an array of results in the same order, whichever is ready first', async () => {
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
  const headers = { ...BEARER, 'x-request-id': 'mine', accept: 'application/graphql-response+json' };
  const answer = await gateway.post([{ query: list(3) }, { query: TYPENAME }, { query: list(1) }], headers);
  expect(answer.status).toBe(200);
  expect(resultsIn(answer).map(({ data }) => data?.debtors?.nodes.length)).toEqual([3, undefined, 1]);
  expect(resultsIn(answer)[1]).toMatchObject(NAMED);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/graphql-response+json; charset=utf-8',
    'cache-control': 'private, no-store',
    vary: 'Accept, Accept-Encoding',
    'x-request-id': 'mine',
    'server-timing': expect.stringMatching(/total;dur=/),
  });
});

test('an array of one operation gets an array, also after white space and a byte order mark', async () => {
  expect(resultsIn(await gateway.post(`\uFEFF \r\n\t[{"query":"${TYPENAME}"}]`))).toMatchObject([NAMED]);
});

test('an invalid operation in an array gets an error at its position, and the others succeed', async () => {
  const fine = JSON.stringify({ query: TYPENAME });
  const entries: [string, string][] = [
    [fine, 'OK'],
    ['null', 'BAD_REQUEST'],
    ['5', 'BAD_REQUEST'],
    [`[${fine}]`, 'BAD_REQUEST'],
    ['{}', 'BAD_REQUEST'],
    ['{"query":"{ __typename }","variables":[]}', 'BAD_REQUEST'],
    ['{"query":"{ nonsense }"}', 'GRAPHQL_VALIDATION_FAILED'],
    ['{"query":"{"}', 'GRAPHQL_PARSE_FAILED'],
    [JSON.stringify({ query: list(1).replace('1001', '2001') }), 'FORBIDDEN'],
    [fine, 'OK'],
  ];
  const answer = await gateway.post(`[${entries.map(([entry]) => entry).join()}]`);
  expect([answer.status, codesOf(answer)]).toEqual([200, entries.map(([, code]) => code)]);
  expect(resultsIn(answer)[1]?.errors?.[0]?.message).toBe(
    'An operation of the array is not a JSON object such as {"query":"{ viewer { scopes } }"}.',
  );
});

test('each mutation in an array is sent once, and equal reads share a call', async () => {
  const answer = await gateway.post([WRITE, list(2), WRITE, list(2)].map((query) => ({ query })));
  expect(codesOf(answer)).toEqual(['OK', 'OK', 'OK', 'OK']);
  const write = 'PATCH /v1/tasks/400001/unmark_completed';
  expect(gateway.calls().toSorted()).toEqual(['GET /v1/debtors', write, write]);
});

describe('an array is rejected before any operation runs,', () => {
  const write = JSON.stringify({ query: WRITE });
  test.each([
    [
      'too many operations',
      `[${write},${write},${write}]`,
      'The array has more than 2 operations. Send at most 2 in one request.',
    ],
    [
      'invalid JSON',
      `[${write},{"query":}]`,
      'The body is not a JSON object such as {"query":"{ viewer { scopes } }"}.',
    ],
    [
      'too many levels',
      `[${write},${'['.repeat(33)}${']'.repeat(33)}]`,
      'The body is nested more than 32 levels deep.',
    ],
    [
      'too many values',
      `[${write},[${'1,'.repeat(50_000)}1]]`,
      'The body has more than 50000 commas and brackets.',
    ],
  ])('if it has %s', async (_what, body, message) => {
    const refused = { errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] };
    expect(await narrow.post(body)).toMatchObject({ status: 400, body: refused });
    expect(narrow.calls()).toEqual([]);
  });

  test.each(['text/event-stream', 'text/csv', 'text/html'])('if only %s is accepted', async (accept) => {
    const answer = await gateway.post([{ query: LIST }], { ...BEARER, accept });
    expect(answer).toMatchObject({
      status: 406,
      body: { errors: [{ extensions: { code: 'NOT_ACCEPTABLE' } }] },
    });
    expect(gateway.calls()).toEqual([]);
  });

  test('if it is sent to the path of an export', async () => {
    const init = {
      method: 'POST',
      headers: { ...JSON_BODY, ...BEARER },
      body: JSON.stringify([{ query: LIST }]),
    };
    expect(await gateway.fetch(init, `${ENDPOINT}.csv`)).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] },
    });
  });
});

test('a subscription in an array is rejected, also if the client accepts streams', async () => {
  const query = 'subscription { changes(administrationId: "1001") { cursor } }';
  const accept = 'application/json, text/event-stream';
  const answer = await gateway.post([{ query }, { query: TYPENAME }], { ...BEARER, accept });
  expect(codesOf(answer)).toEqual(['BAD_REQUEST', 'OK']);
  expect(answer.text).toContain('Subscriptions cannot be batched. Send this one alone.');
});

const few = await useFetchGateway({ maxOperations: 4 });
const full = await useFetchGateway({ maxOperations: 0 });
const bounded = await useFetchGateway({ maxCalls: 1, requestTimeoutMs: 2_000 });
const limited = await useFetchGateway({ credentialCallsPerMinute: 2 });

describe('each operation of an array has', () => {
  test('a slot, and all slots are acquired together, so two arrays do not wait for each other', async () => {
    few.rest.misbehave({ kind: 'delay', milliseconds: 50, times: 10 });
    const arrays = await Promise.all(
      times(2, (array) => few.post(times(4, (index) => ({ query: list(4 * array + index + 1) })))),
    );
    for (const answer of arrays) expect(codesOf(answer)).toEqual(['OK', 'OK', 'OK', 'OK']);
    const refused = await full.post([{ query: list(1) }, { query: TYPENAME }]);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      503,
      expect.stringMatching(/^[2-6]$/),
    ]);
  });

  test('its own calls and timeout', async () => {
    bounded.rest.misbehave({ kind: 'hang', match: { path: '/v1/health_care/declaration_lines' } });

    const two =
      '{ a: debtors(administrationId: "1001") { nodes { id } } b: debtors(administrationId: "1002") { nodes { id } } }';
    const answer = await bounded.post([list(1), two, list(2), SLOW].map((query) => ({ query })));
    expect(codesOf(answer)).toEqual(['OK', 'OPERATION_TOO_EXPENSIVE', 'OK', 'UPSTREAM_TIMEOUT']);
  });

  test('the rest of the quota of the credential', async () => {
    const answer = await limited.post([list(1), list(2), list(3)].map((query) => ({ query })));
    expect(codesOf(answer).toSorted()).toEqual(['OK', 'OK', 'RATE_LIMITED']);
    expect(answer.headers.get('ratelimit')).toMatch(/^"credential";r=0;/);
  });
});

const short = await useFetchGateway({ maxAnswerBytes: 60_000 });

test('results in an array share the memory evenly, and a mutation gets a result in any case', async () => {
  const answer = await short.post([{ query: rows(300) }, { query: rows(10) }, { query: WRITE }]);
  expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE', 'OK', 'OK']);
  const unmark = 'unmarkTaskCompleted(input: { taskId: "400001", administrationId: "1001" })';
  const large = 'task { debtor { administration { debtors(first: 200) { nodes { id name remark } } } } }';
  const query = `mutation { a: ${unmark} { task { internalId } } b: ${unmark} { ${large} } c: ${unmark} { ${large} } }`;
  const writes = await short.post(times(5, () => ({ query })));
  expect(Buffer.byteLength(writes.text)).toBeLessThan(70_000);
  for (const { data } of resultsIn(writes))
    expect(data).toMatchObject({ a: { task: { internalId: '400001' } } });
  expect(short.calls().filter((call) => call.includes('unmark_completed'))).toHaveLength(16);
});

const useOwnAnswers: Plugin = {
  onParams({ params, setResult }) {
    if (params.query?.includes('mine')) setResult({ data: {} });
    if (params.query?.includes('fail')) throw new Error('secret');
  },
};
const plugged = await useFetchGateway({ plugins: [useOwnAnswers] });

test('a plugin can respond to one operation of an array, or fail only that one', async () => {
  const queries = [TYPENAME, 'query mine { __typename }', 'query fail { __typename }'];
  const answer = await plugged.post(queries.map((query) => ({ query })));
  expect(codesOf(answer)).toEqual(['OK', 'OK', 'INTERNAL_SERVER_ERROR']);
  expect(answer.text).not.toContain('secret');
});

test('an array is compressed and counted as one request, and logged and counted by operation', async () => {
  const { options, lines, exposition } = createTestTelemetry();
  const { url } = await freshGateway(options);
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...JSON_BODY, ...BEARER, 'x-request-id': 'mine', 'accept-encoding': 'gzip' },
    body: JSON.stringify([rows(200), '{ nonsense }', list(1)].map((query) => ({ query }))),
  });
  expect([response.headers.get('content-encoding'), (await response.json()).length]).toEqual(['gzip', 3]);
  await eventually(() => {
    expect(lines()).toHaveLength(3);
  });
  const logged = lines().map(({ requestId, name, codes, restCalls }) => ({
    requestId,
    name,
    codes,
    restCalls,
  }));
  expect(logged.toSorted((one, other) => String(one.name).localeCompare(String(other.name)))).toEqual([
    { requestId: 'mine', name: 'List1', codes: [], restCalls: 1 },
    { requestId: 'mine', name: 'List200', codes: [], restCalls: 1 },
    { requestId: 'mine', name: undefined, codes: ['GRAPHQL_VALIDATION_FAILED'], restCalls: 0 },
  ]);
  const text = exposition();
  expect(sampleOf(text, 'receivables_operations_total{type="query",outcome="OK"}')).toBe(2);
  expect(text.match(/^http_server_request_duration_seconds_count.* (\d+)$/m)?.[1]).toBe('1');
});
