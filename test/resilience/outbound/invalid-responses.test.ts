import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { useGateway } from '../../support/gateway.ts';
import { DEBTORS } from '../../support/operations.ts';
import { changePage, changeRow } from '../../support/rest-pages.ts';
import type { Fault } from '../../support/rest-service.mjs';

const gateway = await useGateway();

/** Stands in every body that must not be shown. */
const MARK = 'd0-n0t-sh0w';

const page = (value: unknown) => JSON.stringify(value);
const row = { id: '300001', administration_id: '1001', name: MARK };

const faults: Record<string, Fault> = {
  'an HTML page': { kind: 'body', body: `<html>${MARK}</html>`, contentType: 'text/html' },
  'JSON of another content type': { kind: 'body', body: page({ data: [row] }), contentType: 'text/plain' },
  'text that is not JSON': { kind: 'body', body: `{"data":["${MARK}"` },
  'an empty body': { kind: 'body', body: '' },
  incomplete: { kind: 'truncate' },
  'gzip that was not requested': {
    kind: 'body',
    body: gzipSync(page({ data: [row] })),
    headers: { 'content-encoding': 'gzip' },
  },
  'more than 8 MB': { kind: 'body', body: page({ data: [row] }) + ' '.repeat(8_000_000) },
  'a row of another administration': changeRow(1, { administration_id: '2001' }),
  'a list with a string as pagination': changePage((sent) => ({ ...sent, pagination: MARK })),
  'a status that is neither a success nor an error': { kind: 'status', status: 304, body: '' },
};

test.each(Object.entries(faults))('a whole REST response is rejected if it is %s', async (_what, fault) => {
  gateway.rest.misbehave(fault);
  const answer = await gateway.query(DEBTORS);
  expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
  expect(answer.errors?.[0]?.extensions.upstream).toMatchObject({ method: 'GET', path: '/v1/debtors' });
  expect(answer.data).toEqual({ debtors: null });
  expect(answer.text).not.toContain(MARK);
  expect(gateway.rest.calls).toHaveLength(1);
});

test.each(['application/json; charset=utf-8', 'application/vnd.api+json'])(
  'a REST response can have the content type %s',
  async (contentType) => {
    gateway.rest.misbehave({ kind: 'body', body: page({ data: [row] }), contentType });
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
  },
);

test.each([
  ['an introspection without `active`', 'mutation { introspectToken(input: { token: "x" }) { active } }', {}],
  [
    'a token response without a token',
    'mutation { createClientCredentialsToken { token { accessToken } } }',
    {},
  ],
  ['a viewer that is a list', '{ viewer { clientId } }', []],
])('a REST response without the required data is an error: %s', async (_what, operation, body) => {
  const headers = { authorization: 'Bearer x', 'x-client-authorization': 'Basic eDp5' };
  gateway.rest.misbehave({ kind: 'body', body: page(body) });
  const answer = await gateway.query(operation, {}, headers);
  expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
  expect(answer.text).not.toContain(MARK);
  expect(gateway.rest.calls).toHaveLength(1);
});
