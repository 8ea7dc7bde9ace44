import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { BEARER, freshGateway, type TestGateway, useGateway } from '../support/gateway.ts';
import { createTestTelemetry, sampleOf } from '../support/telemetry.ts';
import { times } from '../support/times.ts';
import { withResolver } from '../support/with-resolver.ts';

const gateway = await useGateway();
const list = (first: number) =>
  `query List${first} { debtors(administrationId: "1001", first: ${first}) { nodes { id name } } }`;
const arrayOf = (...queries: string[]) => JSON.stringify(queries.map((query) => ({ query })));
/** Nothing ends by itself within a test. */
const PATIENT = { restTimeoutMs: 600_000, requestTimeoutMs: 600_000 };
const JSON_HEADERS = { 'content-type': 'application/json', ...BEARER };

/** Sends an array, and leaves once the REST service has been called for each of its operations. */
async function leaveDuring({ url, rest }: TestGateway, body: string, calls: number): Promise<void> {
  const caller = new AbortController();
  const { signal } = caller;
  const answer = fetch(url, { method: 'POST', headers: JSON_HEADERS, body, signal });
  await eventually(() => expect(rest.calls).toHaveLength(calls));
  caller.abort();
  await expect(answer).rejects.toThrow();
}

test('an array is answered in its order, and compressed as a whole', async () => {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { ...JSON_HEADERS, 'accept-encoding': 'gzip' },
    body: arrayOf(list(200), '{ nonsense }', list(1)),
  });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  const [first, second, third] = await response.json();
  expect([first.data.debtors.nodes.length, third.data.debtors.nodes.length]).toEqual([200, 1]);
  expect(second).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
});

test('log and metrics have each operation, and one request', async () => {
  const { options, telemetry, lines, exposition } = createTestTelemetry();
  const observed = await freshGateway(options);
  const headers = { ...BEARER, 'x-request-id': 'mine' };
  const response = await observed.post(arrayOf(list(1), '{ nonsense }', list(2)), headers);
  expect(response.headers.get('x-request-id')).toBe('mine');
  await response.text();
  await eventually(() => {
    telemetry.flush();
    expect(lines()).toHaveLength(3);
  });
  const told = lines().map(({ requestId, name, codes, status, restCalls }) => ({
    requestId,
    name,
    codes,
    status,
    restCalls,
  }));
  expect(told.toSorted((one, other) => String(one.name).localeCompare(String(other.name)))).toEqual([
    { requestId: 'mine', name: 'List1', codes: [], status: 200, restCalls: 1 },
    { requestId: 'mine', name: 'List2', codes: [], status: 200, restCalls: 1 },
    { requestId: 'mine', name: undefined, codes: ['GRAPHQL_VALIDATION_FAILED'], status: 200, restCalls: 0 },
  ]);
  const text = exposition();
  expect(sampleOf(text, 'receivables_operations_total{type="query",outcome="OK"}')).toBe(2);
  expect(text.match(/^http_server_request_duration_seconds_count.* (\d+)$/m)?.[1]).toBe('1');
});

test('an array that is refused as a whole is logged once', async () => {
  const { options, telemetry, lines } = createTestTelemetry();
  const observed = await freshGateway(options);
  await (await observed.post('[]', BEARER)).text();
  await eventually(() => {
    telemetry.flush();
    expect(lines()).toMatchObject([{ codes: ['BAD_REQUEST'], status: 400 }]);
  });
});

test('a client that leaves gives up the calls of all operations, which the log tells of each', async () => {
  const { options, telemetry, lines } = createTestTelemetry();
  const observed = await freshGateway({ ...options, gateway: { ...options.gateway, ...PATIENT } });
  observed.rest.misbehave({ kind: 'hang', times: 3 });
  await leaveDuring(observed, arrayOf(list(1), list(2), list(3)), 3);
  await eventually(() => {
    expect(observed.rest.calls).toMatchObject(times(3, () => ({ aborted: true })));
    telemetry.flush();
    expect(lines()).toMatchObject(times(3, () => ({ codes: ['CLIENT_CLOSED_REQUEST'] })));
  });
});

test('a client that leaves takes nothing from those that come after it', async () => {
  const small = await freshGateway({ gateway: { maxOperations: 24, ...PATIENT } });
  for (const _round of times(3, () => 0)) {
    small.rest.misbehave({ kind: 'hang', times: 3 });
    small.rest.calls.length = 0;
    await leaveDuring(small, arrayOf(list(1), list(2), list(3)), 3);
    await eventually(() => expect(small.rest.calls).toMatchObject(times(3, () => ({ aborted: true }))));
  }
  await eventually(async () => {
    const response = await small.post(arrayOf(list(1), list(2), list(3)), BEARER);
    for (const result of await response.json()) expect(result.errors).toBeUndefined();
  });
});

test('a gateway that drains answers an array that was under way', async () => {
  const { promise: until, resolve } = withResolver();
  const drained = await freshGateway();
  drained.rest.misbehave({ kind: 'stale', until });
  const answer = drained.post(arrayOf(list(1), '{ __typename }'), BEARER);
  await eventually(() => expect(drained.rest.calls).toHaveLength(1));
  const closing = drained.drain();
  resolve();
  const results = await (await answer).json();
  expect(results).toMatchObject([{ data: { debtors: { nodes: [{}] } } }, { data: { __typename: 'Query' } }]);
  await closing;
});
