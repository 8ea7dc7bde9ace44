import { createHash } from 'node:crypto';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { isObject } from '../../src/rest/json.ts';
import type { ReadResponse } from '../library/support.ts';
import { eventually } from '../support/eventually.ts';
import { BEARER } from '../support/gateway.ts';
import { times } from '../support/times.ts';
import { LIST, NOTHING, TYPENAME, useFetchGateway, WRITE } from './support.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const list = (first: number) => `{ debtors(administrationId: "1001", first: ${first}) { nodes { name } } }`;
const NAMED = { data: { __typename: 'Query' } };

/** The results of an array. */
function resultsIn({ text }: ReadResponse): {
  data?: unknown;
  errors?: { message: string; extensions: { code: string } }[];
  extensions?: object;
}[] {
  const results: unknown = JSON.parse(text);
  if (!Array.isArray(results)) throw new TypeError(`no array: ${text}`);
  return results;
}
/** The code of each result, or OK. */
const codesOf = (answer: ReadResponse) =>
  resultsIn(answer).map(({ errors }) => errors?.map(({ extensions }) => extensions.code).join() ?? 'OK');
const rowsOf = (answer: ReadResponse) =>
  resultsIn(answer).map(({ data }) =>
    isObject(data) && isObject(data.debtors) && Array.isArray(data.debtors.nodes)
      ? data.debtors.nodes.length
      : undefined,
  );

const gateway = await useFetchGateway();
const narrow = await useFetchGateway({ maxBatch: 2 });
const off = await useFetchGateway({ maxBatch: 0 });
const full = await useFetchGateway({ maxOperations: 0 });
const few = await useFetchGateway({ maxOperations: 4 });

describe('an array', () => {
  test('is answered by an array in its order, whichever is ready first', async () => {
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
    const answer = await gateway.post([{ query: list(3) }, { query: TYPENAME }, { query: list(1) }]);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(rowsOf(answer)).toEqual([3, undefined, 1]);
    expect(resultsIn(answer)[1]).toMatchObject(NAMED);
  });

  test('of one operation is an array too', async () => {
    expect(resultsIn(await gateway.post([{ query: TYPENAME }]))).toMatchObject([NAMED]);
  });

  test('may have blanks and a byte order mark in front', async () => {
    expect(resultsIn(await gateway.post(`\uFEFF \r\n\t[{"query":"${TYPENAME}"}]`))).toMatchObject([NAMED]);
  });

  test('has the headers of any answer', async () => {
    const { headers } = await gateway.post([{ query: TYPENAME }], {
      ...BEARER,
      'x-request-id': 'mine',
      accept: 'application/graphql-response+json',
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/graphql-response+json; charset=utf-8',
      'cache-control': 'private, no-store',
      vary: 'Accept, Accept-Encoding',
      'x-request-id': 'mine',
      'server-timing': expect.stringMatching(/^total;dur=/),
    });
  });

  test.each([
    ['a number', '5'],
    ['another array', `[{"query":"${TYPENAME}"}]`],
    ['no document', '{}'],
    ['variables that are a list', `{"query":"${TYPENAME}","variables":[]}`],
  ])('keeps its other answers where one entry is %s', async (_what, entry) => {
    const fine = JSON.stringify({ query: TYPENAME });
    const answer = await gateway.post(`[${fine},${entry},${fine}]`);
    expect([answer.status, codesOf(answer)]).toEqual([200, ['OK', 'BAD_REQUEST', 'OK']]);
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{"query":}'],
    ['too many levels', '['.repeat(33) + ']'.repeat(33)],
    ['too many values with the others', `[${'1,'.repeat(50_000)}1]`],
  ])('runs nothing where one entry is %s', async (_what, entry) => {
    const answer = await gateway.post(
      `[${JSON.stringify({ query: WRITE })},${entry},{"query":"{ __typename }"}]`,
    );
    expect([answer.status, answer.body.errors?.[0]?.extensions?.code]).toEqual([400, 'BAD_REQUEST']);
    expect(gateway.calls()).toEqual([]);
  });

  test('has errors in their places, and a null field spoils nothing beside it', async () => {
    const answer = await gateway.post([
      { query: '{ nonsense }' },
      { query: '{' },
      { query: list(1) },
      { query: 'query A { __typename } query B { __typename }' },
      { query: '{ debtors(administrationId: "2001") { nodes { name } } }' },
      { query: '{ debtors(administrationId: "1001", first: 0) { nodes { name } } }' },
    ]);
    expect(codesOf(answer)).toEqual([
      'GRAPHQL_VALIDATION_FAILED',
      'GRAPHQL_PARSE_FAILED',
      'OK',
      'BAD_REQUEST',
      'FORBIDDEN',
      'BAD_USER_INPUT',
    ]);
  });

  test('runs writes once each', async () => {
    const answer = await gateway.post([{ query: WRITE }, { query: WRITE }]);
    expect(codesOf(answer)).toEqual(['OK', 'OK']);
    expect(gateway.calls()).toHaveLength(2);
  });

  test('shares calls between its operations as requests at the same time do', async () => {
    await gateway.post([{ query: list(2) }, { query: list(2) }]);
    expect(gateway.calls()).toEqual(['GET /v1/debtors']);
  });

  test('explains each operation', async () => {
    const answer = await gateway.post([{ query: list(1) }, { query: TYPENAME }], {
      ...BEARER,
      'x-explain': 'true',
    });
    expect(resultsIn(answer)).toMatchObject([
      { extensions: { cost: { calls: 1 }, explain: [{ path: '/v1/debtors' }] } },
      { extensions: { cost: { calls: 0 }, explain: [] } },
    ]);
  });
});

test('an entry that is no operation is told so, and spoils no other', async () => {
  const answer = await narrow.post(`[null,${JSON.stringify({ query: TYPENAME })}]`);
  const message = 'An operation of the array is not a JSON object such as {"query":"{ viewer { scopes } }"}.';
  expect(resultsIn(answer)).toMatchObject([{ errors: [{ message }] }, { data: {} }]);
});

describe('an array is refused as a whole', () => {
  test.each([
    [
      'very many operations',
      `[${'{},'.repeat(100)}{}]`,
      'The array has more than 2 operations. Send at most 2 in one request.',
    ],
    ['none', '[]', 'The array has no operations.'],
    ['what is no JSON', '[{}', 'The body is not a JSON array.'],
  ])('of %s', async (_what, body, message) => {
    const answer = await narrow.post(body);
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] },
    });
  });

  test('with an error for each of its operations, since clients wait for as many answers', async () => {
    const message = 'The array has more than 2 operations. Send at most 2 in one request.';
    const answer = await narrow.post('[{},{},{}]');
    const one = { errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] };
    expect(answer).toMatchObject({ status: 400, body: [one, one, one] });
  });

  test('where arrays are off', async () => {
    const message = 'Send one operation, as a JSON object: an array of operations is not taken here.';
    const answer = await off.post([{ query: TYPENAME }]);
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] },
    });
  });

  test('of more than a megabyte', async () => {
    const answer = await gateway.post([{ query: TYPENAME, padding: 'x'.repeat(1_000_000) }]);
    expect(answer).toMatchObject({
      status: 413,
      body: { errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }] },
    });
  });

  test.each(['text/event-stream', 'text/csv', 'text/html'])(
    'by a client that takes only %s',
    async (accept) => {
      const answer = await gateway.post([{ query: LIST }], { ...BEARER, accept });
      expect(answer).toMatchObject({
        status: 406,
        body: { errors: [{ extensions: { code: 'NOT_ACCEPTABLE' } }] },
      });
      expect(gateway.calls()).toEqual([]);
    },
  );

  test('at the path of an export', async () => {
    const answer = await gateway.fetch(
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...BEARER },
        body: JSON.stringify([{ query: LIST }]),
      },
      'http://localhost/graphql.csv',
    );
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] },
    });
  });
});

test('a subscription in an array is told to come alone, whatever the client accepts', async () => {
  const query = 'subscription { changes(administrationId: "1001") { cursor } }';
  const accept = 'application/json, text/event-stream';
  const answer = await gateway.post([{ query }, { query: TYPENAME }], { ...BEARER, accept });
  expect(codesOf(answer)).toEqual(['BAD_REQUEST', 'OK']);
  expect(answer.text).toContain('A subscription cannot be one of an array: send it alone.');
});

describe('each operation has what one that comes alone has', () => {
  test('a place: beyond those, each is refused for itself', async () => {
    few.rest.misbehave({ kind: 'delay', milliseconds: 50, times: 10 });
    const answer = await few.post(times(4, (index) => ({ query: list(index + 1) })));
    // Of four places, one caller gets one.
    expect([answer.status, codesOf(answer)]).toEqual([200, ['OK', 'OVERLOADED', 'OVERLOADED', 'OVERLOADED']]);
  });

  test('and where all are refused, the array may be sent again as a whole', async () => {
    const answer = await full.post([{ query: list(1) }, { query: TYPENAME }]);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(answer.body.errors?.[0]?.extensions?.code).toBe('OVERLOADED');
  });

  test('a budget of REST calls', async () => {
    const calls = await useFetchGateway({ maxCalls: 1 });
    const two =
      '{ debtors(administrationId: "1001") { nodes { id } } declarationLines(administrationId: "1001") { nodes { id } } }';
    const answer = await calls.post([{ query: list(1) }, { query: two }, { query: list(2) }]);
    expect(codesOf(answer)).toEqual(['OK', 'OPERATION_TOO_EXPENSIVE', 'OK']);
  });

  test('a deadline', async () => {
    const hurried = await useFetchGateway({ requestTimeoutMs: 300 });
    hurried.rest.misbehave({ kind: 'hang', match: { path: '/v1/debtors' } });
    const answer = await hurried.post([{ query: list(1) }, { query: TYPENAME }]);
    expect(codesOf(answer)).toEqual(['UPSTREAM_TIMEOUT', 'OK']);
  });
});

describe('the memory of answers that wait for the others', () => {
  const rows = (first: number) =>
    `{ debtors(administrationId: "1001", first: ${first}) { nodes { id name remark internalId debtorNumber } } }`;

  test('is counted until the array is answered', async () => {
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    gateway.rest.misbehave({ kind: 'stale', until, match: { path: '/v1/health_care/declaration_lines' } });
    const slow = '{ declarationLines(administrationId: "1001", first: 1) { nodes { id } } }';
    const answer = gateway.post([{ query: rows(500) }, { query: slow }]);
    await eventually(() => {
      expect(gateway.calls()).toHaveLength(2);
      expect(gateway.held().operations).toBe(1);
    });
    expect(gateway.held().operationBytes).toBeGreaterThan(50_000);
    release();
    expect(codesOf(await answer)).toEqual(['OK', 'OK']);
    expect(gateway.held()).toEqual(NOTHING);
  });

  test('is bounded: operations have equal shares, and a write is told whatever does not fit', async () => {
    const short = await useFetchGateway({ maxAnswerBytes: 60_000 });
    const answer = await short.post([{ query: rows(300) }, { query: rows(10) }, { query: WRITE }]);
    expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE', 'OK', 'OK']);
    const large = 'task { debtor { administration { debtors(first: 200) { nodes { id name remark } } } } }';
    const write = `mutation { ${times(3, (n) => `a${n}: unmarkTaskCompleted(input: { taskId: "400001", administrationId: "1001" }) { ${n === 0 ? 'task { internalId }' : large} }`).join(' ')} }`;
    const writes = await short.post(times(5, () => ({ query: write })));
    expect(Buffer.byteLength(writes.text)).toBeLessThan(70_000);
    for (const { data } of resultsIn(writes))
      expect(data).toMatchObject({ a0: { task: { internalId: '400001' } } });
    expect(short.calls().filter((call) => JSON.stringify(call).includes('unmark_completed'))).toHaveLength(
      16,
    );
  });
});

test('a caller that leaves gives up all calls of its array', async () => {
  const caller = new AbortController();
  const gateway = await useFetchGateway({ restTimeoutMs: 600_000, requestTimeoutMs: 600_000 });
  gateway.rest.misbehave({ kind: 'hang', times: 3 });
  const answer = gateway.post(
    times(3, (index) => ({ query: list(index + 1) })),
    BEARER,
    caller.signal,
  );
  const left = answer.then(
    () => 'answered',
    () => 'left',
  );
  await eventually(() => expect(gateway.calls()).toHaveLength(3));
  caller.abort();
  expect(await left).toBe('left');
  await eventually(() => {
    expect(gateway.rest.calls).toMatchObject(times(3, () => ({ aborted: true })));
    expect(gateway.held()).toEqual(NOTHING);
  });
});

describe('beside', () => {
  test('trusted documents: each entry names its own', async () => {
    const trusted = await useFetchGateway({ trustedDocuments: new Map([['a1', LIST]]) });
    const answer = await trusted.post([{ documentId: 'a1' }, { query: TYPENAME }, { documentId: 'b2' }]);
    expect(codesOf(answer)).toEqual(['OK', 'TRUSTED_DOCUMENT_REQUIRED', 'UNKNOWN_DOCUMENT']);
  });

  test('persisted queries: an entry registers, and another finds', async () => {
    const persisted = { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(LIST) } } };
    await gateway.post({ query: LIST });
    expect(codesOf(await gateway.post([persisted, { query: TYPENAME }]))).toEqual([
      'PERSISTED_QUERY_NOT_FOUND',
      'OK',
    ]);
    expect(codesOf(await gateway.post([{ query: LIST, ...persisted }]))).toEqual(['OK']);
    expect(codesOf(await gateway.post([persisted, persisted]))).toEqual(['OK', 'OK']);
  });

  test('a limit of calls: the array tells what is left', async () => {
    const limited = await useFetchGateway({ credentialCallsPerMinute: 2 });
    const answer = await limited.post([{ query: list(1) }, { query: list(2) }, { query: list(3) }]);
    expect(codesOf(answer).toSorted()).toEqual(['OK', 'OK', 'RATE_LIMITED']);
    expect(answer.headers.get('ratelimit')).toMatch(/^"credential";r=0;/);
  });
});

describe('plugins of users', () => {
  test('see one request, and each operation with what their server has put into the context', async () => {
    const seen: string[] = [];
    const useSeeing: Plugin = {
      onRequest: ({ serverContext }) => void seen.push(`request ${Reflect.get(serverContext, 'tenant')}`),
      onParams: ({ params, context }) => void seen.push(`${params.query} ${Reflect.get(context, 'tenant')}`),
      onExecute: ({ args }) => void seen.push(`execution ${Reflect.get(args.contextValue, 'tenant')}`),
    };
    const seeing = await useFetchGateway({ plugins: [useSeeing] });
    const request = new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ query: TYPENAME }, { query: TYPENAME }]),
    });
    const response = await seeing.gateway.fetch(request, { tenant: 'acme' });
    expect(await response.json()).toMatchObject([NAMED, NAMED]);
    expect(seen.toSorted()).toEqual(
      ['request acme', ...times(2, () => `${TYPENAME} acme`), ...times(2, () => 'execution acme')].toSorted(),
    );
  });

  test('that answer an operation themselves, or fail, do so in its place', async () => {
    const answering = (result: () => object): Plugin => ({
      onParams({ params, setResult }) {
        if (params.query?.includes('mine')) setResult(result());
      },
    });
    const cyclic: Record<string, unknown> = {};
    cyclic.data = { cyclic };
    const cases: [() => object, string][] = [
      [() => ({}), 'INTERNAL_SERVER_ERROR'],
      [() => cyclic, 'INTERNAL_SERVER_ERROR'],
      [() => ({ data: {} }), 'OK'],
      [
        () => {
          throw new Error('secret');
        },
        'INTERNAL_SERVER_ERROR',
      ],
    ];
    for (const [result, code] of cases) {
      const answered = await useFetchGateway({ plugins: [answering(result)] });
      const answer = await answered.post([{ query: TYPENAME }, { query: 'query mine { __typename }' }]);
      expect(codesOf(answer)).toEqual(['OK', code]);
      expect(answer.text).not.toContain('secret');
    }
  });

  test('that change the results of a request are given all of them', async () => {
    const useCounting: Plugin = {
      onResultProcess({ result, setResult }) {
        if (Array.isArray(result))
          setResult(result.map((one) => ({ ...one, extensions: { of: result.length } })));
      },
    };
    const counting = await useFetchGateway({ plugins: [useCounting] });
    const answer = await counting.post([{ query: TYPENAME }, { query: '{ nonsense }' }]);
    expect(resultsIn(answer)).toMatchObject([{ extensions: { of: 2 } }, { extensions: { of: 2 } }]);
  });
});
