import { describe, expect, test } from 'vitest';
import type { Observation } from '../../src/telemetry/observation.ts';
import { NO_TELEMETRY } from '../../src/telemetry/telemetry.ts';
import { codesIn } from '../library/support.ts';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { LIST, TYPENAME, useFetchGateway, WRITE } from './support.ts';

/** Of the last request. */
let told: { type: string | undefined; name: string | undefined; hasDocument: boolean } | undefined;
const telemetry = {
  ...NO_TELEMETRY,
  end(_request: object, _sent: object, { type, name, documentHash }: Observation) {
    told = { type, name, hasDocument: documentHash !== undefined };
  },
};
const gateway = await useFetchGateway({}, {}, { telemetry });
const TWO = `query One { __typename } ${WRITE.replace('mutation', 'mutation Two')}`;

describe('operationName', () => {
  test.each([
    ['missing', TWO, undefined, 'Name the operation to run: `operationName`. The document has One, Two.'],
    ['unknown', TWO, 'Three', 'There is no operation "Three". The document has One, Two.'],
    [
      'given for one without a name',
      TYPENAME,
      'One',
      'There is no operation "One". The document has one operation without a name.',
    ],
  ])('that is %s is told what there is', async (_what, query, operationName, message) => {
    for (const answer of [
      await gateway.post({ query, operationName }),
      await gateway.get({ query, ...(operationName && { operationName }) }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([{ message, extensions: { code: 'BAD_REQUEST' } }]);
    }
    expect(gateway.calls()).toEqual([]);
  });

  test('is told so in few words, however long the names are', async () => {
    const query = `query ${'a'.repeat(20_000)} { __typename } query ${'b'.repeat(20_000)} { __typename }`;
    const { body } = await gateway.post({ query, operationName: 'c'.repeat(20_000) });
    const [{ message } = { message: '' }] = body.errors ?? [];
    expect(message.length).toBeLessThan(500);
    expect(message).toMatch(/^There is no operation "c{80}"\. The document has a{300}…\.$/);
  });

  test('chooses which one is run, and no other', async () => {
    expect((await gateway.post({ query: TWO, operationName: 'One' })).body.data).toEqual({
      __typename: 'Query',
    });
    expect(gateway.calls()).toEqual([]);
    expect(codesIn(await gateway.post({ query: TWO, operationName: 'Two' }))).toEqual([]);
    expect(gateway.calls()).toHaveLength(1);
  });
});

test('a GET writes nothing, whether its document is new or known, and is told how to', async () => {
  for (const parameters of [{ query: WRITE }, { query: WRITE }, { query: TWO, operationName: 'Two' }]) {
    const answer = await gateway.get(parameters);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(answer.body.errors).toMatchObject([
      { message: 'Send a mutation by POST.', extensions: { code: 'METHOD_NOT_ALLOWED' } },
    ]);
    expect(told).toMatchObject({ type: 'mutation' });
  }
  expect(gateway.calls()).toEqual([]);
  expect(codesIn(await gateway.get({ query: TWO, operationName: 'One' }))).toEqual([]);
});

test('a GET of a document that was executed by POST writes nothing either', async () => {
  const query = WRITE.replace('mutation', 'mutation Known');
  await gateway.post({ query });
  expect((await gateway.get({ query })).status).toBe(405);
  expect(gateway.calls()).toHaveLength(1);
});

describe('a subscription', () => {
  const query = `subscription Live { changes(administrationId: "${ADMINISTRATION}") { cursor } }`;

  test('without a type of stream in `Accept` is told which ones there are, by POST and by GET', async () => {
    for (const accept of ['', 'application/json', '*/*', 'multipart/mixed, */*', 'text/csv']) {
      for (const answer of [
        await gateway.post({ query }, { ...BEARER, accept }),
        await gateway.get({ query }, { ...BEARER, accept }),
      ]) {
        expect(answer.status).toBe(406);
        expect(answer.body.errors).toMatchObject([
          {
            message:
              'A subscription is answered by a stream: send `Accept: text/event-stream`, or ' +
              '`Accept: multipart/mixed;subscriptionSpec=1.0`.',
            extensions: { code: 'NOT_ACCEPTABLE' },
          },
        ]);
        expect(told).toMatchObject({ type: 'subscription', name: 'Live' });
      }
    }
    expect(gateway.calls()).toEqual([]);
  });

  test('that is not valid is told that first', async () => {
    const answer = await gateway.post({ query: 'subscription { x }' });
    expect(codesIn(answer)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });
});

describe('telemetry is told', () => {
  test.each([
    ['the type and name of what is run', { query: LIST }, { type: 'query', name: 'List', hasDocument: true }],
    ['of which one of several', { query: TWO, operationName: 'Two' }, { type: 'mutation', name: 'Two' }],
    ['of a document that was known', { query: LIST }, { type: 'query', name: 'List', hasDocument: true }],
    ['nothing of an invalid document', { query: 'query Secret { nonsense }' }, { hasDocument: false }],
    ['nothing of a document that cannot be read', { query: 'query Secret {' }, { hasDocument: false }],
    ['the document of an unknown operation', { query: LIST, operationName: 'x' }, { hasDocument: true }],
  ])('%s', async (_what, params, expected) => {
    told = undefined;
    await gateway.post(params, BEARER);
    expect(told).toMatchObject({ type: undefined, name: undefined, ...expected });
  });
});
