import { describe, expect, test } from 'vitest';
import { encodeGlobalId } from '../../src/global-id.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();
const { rest } = gateway;

const IN = `administrationId: "${ADMINISTRATION}"`;

describe('an id is sent so that it arrives as it is', () => {
  const odd = [
    '"quotes"',
    "it's",
    '100%',
    '%2e%2e',
    'ë–漢字🦊',
    'a b',
    'a+b',
    'a&ids=1',
    '#?=',
    '0',
    'null',
    '...',
    'a:b;c',
  ];

  test.each(odd)('in a list: %s', async (id) => {
    const { data } = await gateway.query(`query ($id: ID!) { debtor(${IN}, by: { id: $id }) { name } }`, {
      id,
    });
    expect(data).toEqual({ debtor: null });
    expect(gateway.calls()).toMatchObject([{ administration_id: ADMINISTRATION, ids: id, per_page: '1' }]);
    expect(rest.calls[0]?.url).toMatch(/^[\w\-.~!*'()%,:/?&=]+$/);
  });

  const unmark = 'mutation ($id: ID!) { unmarkTaskCompleted(input: { taskId: $id }) { task { id } } }';

  test.each(odd)('in a path: %s', async (id) => {
    const { errors } = await gateway.query(unmark, { id });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    expect(rest.calls).toHaveLength(1);
    const [, segment = ''] =
      /^\/v1\/tasks\/([\w\-.~!*'()%,:]+)\/unmark_completed$/.exec(rest.calls[0]?.url ?? '') ?? [];
    expect(decodeURIComponent(segment)).toBe(id);
  });

  test.each(['../messages', '..', '.', 'a/b', '/', 'a\\b', '..\\..'])('or not at all: %j', async (id) => {
    expectRefused(gateway, await gateway.query(unmark, { id }));
    expectRefused(
      gateway,
      await gateway.query(unmark, {
        id: encodeGlobalId({ type: 'Task', administration: ADMINISTRATION, id }),
      }),
    );
  });

  test('nor when it is no text that can be encoded', async () => {
    const id = '\ud800';
    expectRefused(gateway, await gateway.query(unmark, { id }));
    expectRefused(
      gateway,
      await gateway.query(`query ($id: ID!) { debtor(${IN}, by: { id: $id }) { name } }`, { id }),
    );
  });
});
