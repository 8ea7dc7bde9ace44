import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { codesIn, type ReadResponse } from '../library/support.ts';
import { BASIC, BEARER, FOREIGN_ADMINISTRATION, OTHER_BEARER } from '../support/gateway.ts';
import { LIST, TYPENAME, useFetchGateway } from './support.ts';

const LIMITED = { CREDENTIAL_CALLS_PER_MINUTE: '10' };
const gateway = await useFetchGateway({}, LIMITED);
const unlimited = await useFetchGateway();
const full = await useFetchGateway({ maxOperations: 0 }, LIMITED);

const rateOf = ({ headers }: ReadResponse) => ({
  policy: headers.get('ratelimit-policy'),
  remaining: /;r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1],
});
const NONE = { policy: null, remaining: undefined };

describe('an answer tells what is left of the limit of its credential', () => {
  test('after what the operation itself has used, call by call', async () => {
    const policy = '"credential";q=10;w=60';
    expect(rateOf(await gateway.post({ query: LIST }))).toEqual({ policy, remaining: '9' });
    const two = `{ a: ${LIST.slice(LIST.indexOf('debtors'), -1)} b: ${LIST.slice(LIST.indexOf('debtors'), -1).replace('1001', '1002')} }`;
    expect(rateOf(await gateway.post({ query: two }))).toEqual({ policy, remaining: '7' });
  });

  test('also where it made no call, was refused or failed', async () => {
    const before = rateOf(await gateway.post({ query: TYPENAME }));
    for (const params of [{ query: '{ nonsense }' }, { query: '{' }, {}])
      expect(rateOf(await gateway.post(params))).toEqual(before);
  });

  test('each of its own', async () => {
    const query = LIST.replace('1001', FOREIGN_ADMINISTRATION);
    expect(rateOf(await gateway.post({ query }, OTHER_BEARER)).remaining).toBe('9');
    expect(rateOf(await gateway.post({ query: TYPENAME }, BASIC)).remaining).toBe('10');
  });

  test('until nothing is left, and the next call is refused', async () => {
    let left = Number(rateOf(await gateway.post({ query: TYPENAME })).remaining);
    for (; left > 0; left -= 1) await gateway.post({ query: LIST });
    const calls = gateway.calls().length;
    const answer = await gateway.post({ query: LIST }, BEARER);
    expect(codesIn(answer)).toEqual(['RATE_LIMITED']);
    expect(rateOf(answer).remaining).toBe('0');
    expect(gateway.calls()).toHaveLength(calls);
  });
});

test('nothing is told without a credential, without a limit, and of what was not admitted', async () => {
  expect(rateOf(await gateway.post({ query: TYPENAME }, {}))).toEqual(NONE);
  expect(rateOf(await gateway.post({ query: TYPENAME }, { authorization: 'nonsense' }))).toEqual(NONE);
  expect(rateOf(await gateway.fetch({ method: 'PUT', headers: BEARER }))).toEqual(NONE);
  expect(rateOf(await unlimited.post({ query: LIST }))).toEqual(NONE);
  expect(rateOf(await full.post({ query: LIST }))).toEqual(NONE);
});

/** Answers in its own way, or fails. */
const useOther: Plugin = {
  onResponse({ request, setResponse, fetchAPI }) {
    if (request.headers.has('x-throw')) throw new Error('secret');
    setResponse(new fetchAPI.Response('mine', { status: 203 }));
  },
};
const plugged = await useFetchGateway({ plugins: [useOther] }, LIMITED);

test('responses that a plugin of a user has put in place, or failed to, have the headers as well', async () => {
  const other = await plugged.post({ query: LIST });
  expect([other.status, rateOf(other).remaining]).toEqual([203, '9']);
  const failed = await plugged.post({ query: LIST }, { ...BEARER, 'x-throw': '1' });
  expect([failed.status, rateOf(failed).remaining]).toEqual([500, '8']);
});
