import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { beforeEach, describe, expect, test } from 'vitest';
import { codesIn } from '../library/support.ts';
import { times } from '../support/times.ts';
import { LIST, TYPENAME, useFetchGateway, WRITE } from './support.ts';

const gateway = await useFetchGateway({}, { MAX_CALLS: '3', MAX_VALUES: '1000' });

const lists = (count: number) =>
  `{ ${times(count, (n) => `a${n}: debtors(administrationId: "${n}") { nodes { id } }`).join(' ')} }`;
const writes = (count: number) =>
  `mutation { ${times(count, (n) => `a${n}: unmarkTaskCompleted(input: { taskId: "400001" }) { task { internalId } }`).join(' ')} }`;

describe('an operation that would cost too much is refused before any call:', () => {
  test.each([
    ['calls', lists(4), /at least 4 REST calls, and at most 3 are allowed\./],
    ['writes', writes(4), /about 4 REST calls, and at most 3 are allowed: `a0` 1, `a1` 1, `a2` 1, `a3` 1\./],
  ])('%s', async (_what, query, message) => {
    const answer = await gateway.post({ query });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([
      { message: expect.stringMatching(message), extensions: { code: 'OPERATION_TOO_EXPENSIVE' } },
    ]);
    expect(answer.body.data).toBeUndefined();
    expect(gateway.calls()).toEqual([]);
  });

  test('and one that costs just as much as is allowed is run', async () => {
    await gateway.post({ query: lists(3) });
    expect(gateway.calls()).toHaveLength(3);
    expect(codesIn(await gateway.post({ query: writes(3) }))).toEqual([]);
    expect(gateway.calls()).toHaveLength(6);
  });
});

/** What a plugin sees around the execution, and whether it puts its own in the place. */
const seen: { calls: string[]; data: unknown }[] = [];
let replacement: (() => ExecutionResult) | undefined;
beforeEach(() => {
  seen.length = 0;
  replacement = undefined;
});
const useWrapping: Plugin = {
  onExecute({ executeFn, setExecuteFn }) {
    setExecuteFn(async (args) => {
      const result = replacement ? replacement() : await executeFn(args);
      seen.push({ calls: wrapped.calls(), data: result.data });
      return result;
    });
  },
};
const wrapped = await useFetchGateway({ plugins: [useWrapping] }, { MAX_CALLS: '3' });

describe('a plugin of a user', () => {
  test('may wrap the execution', async () => {
    const { body } = await wrapped.post({ query: LIST });
    expect(seen).toEqual([{ calls: ['GET /v1/debtors'], data: body.data }]);
    expect(body.extensions).toMatchObject({ cost: { calls: 1 } });
  });

  test('may execute an operation in another way', async () => {
    replacement = () => ({ data: { other: 'ë' } });
    expect((await wrapped.post({ query: LIST })).body).toEqual({ data: { other: 'ë' } });
    expect(wrapped.calls()).toEqual([]);
  });

  test('does not get around the limits', async () => {
    expect(codesIn(await wrapped.post({ query: lists(4) }))).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect([seen, wrapped.calls()]).toEqual([[], []]);
  });
});

const brief = await useFetchGateway({}, { MAX_ANSWER_BYTES: '1000' });

test('an answer that is too long is an error; one of a write tells that it was made', async () => {
  const subjects = times(100, (n) => `s${n}: subject`).join(' ');
  const query = await brief.post({ query: LIST.replace('first: 2', 'first: 100') });
  expect([query.status, codesIn(query), query.body.data]).toEqual([
    400,
    ['OPERATION_TOO_EXPENSIVE'],
    undefined,
  ]);
  const write = await brief.post({ query: WRITE.replace('internalId', subjects) });
  expect(write).toMatchObject({ status: 200, body: { data: { unmarkTaskCompleted: null } } });
  expect(write.body.errors).toMatchObject([{ message: expect.stringContaining('its writes were made') }]);
  expect(codesIn(await brief.post({ query: TYPENAME }))).toEqual([]);
});
