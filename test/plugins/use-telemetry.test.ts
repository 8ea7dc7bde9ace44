import type { Plugin } from 'graphql-yoga';
import { beforeEach, expect, test } from 'vitest';
import { Observation } from '../../src/telemetry/observation.ts';
import { NO_TELEMETRY, type RequestTelemetry } from '../../src/telemetry/telemetry.ts';
import { forwardingTracer } from '../../src/telemetry/tracing.ts';
import { eventually } from '../support/eventually.ts';
import { BEARER } from '../support/gateway.ts';
import { served } from './served.ts';
import { LIST, TYPENAME, useFetchGateway, WRITE } from './support.ts';

const begun: string[] = [];
const ended: object[] = [];
const shed: string[] = [];
const telemetry: RequestTelemetry = {
  ...NO_TELEMETRY,
  begin(headers, requestId) {
    begun.push(requestId);
    return new Observation(requestId, forwardingTracer(headers));
  },
  end({ method, url }, { status }, { requestId, codes, isOperation, type, name, bytes, counts }) {
    const { sent, cacheHits } = counts;
    ended.push({
      method,
      url,
      status,
      requestId,
      codes: [...codes],
      isOperation,
      type,
      name,
      bytes,
      sent,
      cacheHits,
    });
  },
  shed: (reason) => void shed.push(reason),
};
beforeEach(() => {
  for (const list of [begun, ended, shed]) list.length = 0;
});

const useThrowing: Plugin = {
  onRequest({ request }) {
    if (request.headers.has('x-throw')) throw new Error('secret');
  },
};
const gateway = await useFetchGateway({}, {}, { telemetry });
const full = await useFetchGateway({ maxOperations: 0 }, {}, { telemetry });
const failing = await useFetchGateway({ plugins: [useThrowing] }, {}, { telemetry });

const ID = { 'x-request-id': 'mine' };
const OF_OPERATION = { isOperation: true, requestId: 'mine', url: '/graphql' };

test('an operation is observed from its headers to its response, once', async () => {
  const { text } = await gateway.post({ query: LIST }, { ...BEARER, ...ID });
  expect(begun).toEqual(['mine']);
  expect(ended).toEqual([
    {
      ...OF_OPERATION,
      method: 'POST',
      status: 200,
      codes: [],
      type: 'query',
      name: 'List',
      bytes: Buffer.byteLength(text),
      sent: 1,
      cacheHits: 0,
    },
  ]);
});

test('what a request was refused for is observed, wherever that was', async () => {
  const headers = { ...BEARER, ...ID };
  await gateway.post('{', headers);
  await gateway.post({ query: '{' }, headers);
  await gateway.post({ query: '{ nonsense }' }, headers);
  await gateway.post({ query: LIST }, ID);
  await gateway.fetch({ method: 'PUT', headers });
  await failing.post({ query: LIST }, { ...headers, 'x-throw': '1' });
  expect(ended).toMatchObject([
    { ...OF_OPERATION, status: 400, codes: ['BAD_REQUEST'] },
    { ...OF_OPERATION, status: 200, codes: ['GRAPHQL_PARSE_FAILED'] },
    { ...OF_OPERATION, status: 200, codes: ['GRAPHQL_VALIDATION_FAILED'] },
    { ...OF_OPERATION, status: 200, codes: ['UNAUTHENTICATED'] },
    { ...OF_OPERATION, method: 'PUT', status: 405, codes: ['METHOD_NOT_ALLOWED'] },
    { ...OF_OPERATION, isOperation: false, status: 500, codes: ['INTERNAL_SERVER_ERROR'] },
  ]);
  expect(begun).toHaveLength(ended.length);
});

test('a request for a page is no operation, and neither query nor host of a request are told', async () => {
  await gateway.fetch({ headers: ID }, 'http://user.example/nothing?secret');
  await gateway.get({ query: TYPENAME }, ID);
  expect(ended).toMatchObject([
    { url: '/nothing', status: 404, codes: ['NOT_FOUND'], isOperation: false },
    { ...OF_OPERATION, method: 'GET', status: 200 },
  ]);
});

test('what is refused for its number is counted, and ends as all others', async () => {
  await full.post({ query: WRITE });
  expect(shed).toEqual(['operations']);
  expect(ended).toMatchObject([{ status: 503, codes: ['OVERLOADED'] }]);
});

test('of a request that a server observes itself, the plugin neither begins nor ends anything', async () => {
  const path = `/graphql?query=${encodeURIComponent(TYPENAME)}`;
  const context = served(path);
  const response = await gateway.gateway.fetch(`http://localhost${path}`, { method: 'GET' }, context);
  expect([response.status, response.headers.get('x-request-id')]).toEqual([200, context.requestId]);
  expect(context.observed).toMatchObject({ isOperation: true, type: 'query' });
  expect([begun, ended]).toEqual([[], []]);
});

test('a response that is made while it is sent is told when it has ended', async () => {
  const query = LIST.replace(', first: 2', '');
  const { text } = await gateway.fetch(
    {
      method: 'POST',
      headers: { ...BEARER, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    },
    'http://localhost/graphql.csv',
  );
  await eventually(() =>
    expect(ended).toMatchObject([{ bytes: Buffer.byteLength(text), sent: gateway.calls().length }]),
  );
});
