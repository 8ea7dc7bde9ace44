import { describe, expect, test } from 'vitest';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { ADMINISTRATION, BEARER, useGateway } from '../support/gateway.ts';
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

describe('text beyond ASCII is read and written alike', () => {
  const ODD = 'ë–漢字🦊';
  const page = (rows: object[], pagination: object | null = null) =>
    ({ kind: 'body', body: JSON.stringify({ data: rows, pagination }) }) as const;

  test('in values, whether the service escapes it or not', async () => {
    const rows = [
      { id: '1', name: ODD, remark: 'a \u0026 "b" \\ \u2028' },
      { id: '2', name: ODD },
    ];
    rest.misbehave(page(rows));
    const escaped = JSON.stringify(rows).replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    rest.misbehave({ kind: 'body', body: `{"data":${escaped},"pagination":null}` });
    const document = `{ debtors(${IN}, first: 2) { nodes { name remark } } }`;
    const [first, second] = [await gateway.query(document), await gateway.query(document)];
    expect(first.data).toEqual({
      debtors: {
        nodes: [
          { name: ODD, remark: 'a & "b" \\ \u2028' },
          { name: ODD, remark: null },
        ],
      },
    });
    expect(second.data).toEqual(first.data);
  });

  test('in ids, which find their record again', async () => {
    rest.misbehave(page([{ id: ODD, name: 'First' }]));
    const list = await gateway.query(`{ debtors(${IN}, first: 1) { nodes { id internalId } } }`);
    const id = encodeGlobalId({ type: 'Debtor', administration: ADMINISTRATION, id: ODD });
    expect(list.data).toEqual({ debtors: { nodes: [{ id, internalId: ODD }] } });

    rest.misbehave(page([{ id: ODD, name: 'Again' }]));
    const again = await gateway.query('query ($id: ID!) { node(id: $id) { id ... on Debtor { name } } }', {
      id,
    });
    expect(again.data).toEqual({ node: { id, name: 'Again' } });
    expect(gateway.calls()[1]).toMatchObject({ ids: ODD });
  });

  test('in numbers that a record is looked up by', async () => {
    rest.misbehave(page([{ id: '1', debtor_number: ODD, name: 'Found' }]));
    const { data } = await gateway.query(
      `query ($number: String!) { debtor(${IN}, by: { debtorNumber: $number }) { name debtorNumber } }`,
      { number: ODD },
    );
    expect(data).toEqual({ debtor: { name: 'Found', debtorNumber: ODD } });
    expect(gateway.calls()).toMatchObject([{ debtor_numbers: ODD }]);
  });

  test('in keys of joins', async () => {
    rest.misbehave(page([{ id: '1', debtor_id: ODD }]));
    rest.misbehave(page([{ id: ODD, name: 'Joined' }]));
    const { data } = await gateway.query(
      `{ deletedCreditCases(${IN}, first: 1) { nodes { debtorId debtor { name } } } }`,
    );
    expect(data).toEqual({
      deletedCreditCases: { nodes: [{ debtorId: ODD, debtor: { name: 'Joined' } }] },
    });
    expect(gateway.calls()[1]).toMatchObject({ ids: ODD });
  });

  test('in cursors', async () => {
    rest.misbehave(page([{ id: 'ü' }, { id: '2' }], { cursor: ODD }));
    const document = `query ($after: String) {
      debtors(${IN}, first: 2, after: $after) { edges { cursor } pageInfo { endCursor } }
    }`;
    const { data } = await gateway.query(document);
    expect(data).toMatchObject({ debtors: { edges: [{}, {}], pageInfo: { endCursor: expect.any(String) } } });
    const cursors = JSON.stringify(data).match(/(?<=ursor":")[^"]+/g) ?? [];
    for (const after of cursors) await gateway.query(document, { after });
    // The service knows none of them, and the first row of a list can be gone on from its start.
    expect(gateway.calls().map(({ cursor }) => cursor)).toEqual([undefined, 'ü', undefined, ODD, ODD]);
  });

  test('in the id of an administration', async () => {
    const document = `query ($id: ID!) {
      administration(id: $id) { id internalId debtors(first: 1) { nodes { administrationId administration { id } } } }
    }`;
    const id = encodeGlobalId({ type: 'Administration', administration: ODD, id: ODD });
    for (const given of [ODD, id]) {
      rest.misbehave(page([{ id: '1', administration_id: ODD }]));
      const { data } = await gateway.query(document, { id: given });
      expect(data).toEqual({
        administration: {
          id,
          internalId: ODD,
          debtors: { nodes: [{ administrationId: ODD, administration: { id } }] },
        },
      });
    }
    rest.misbehave(page([{ id: '1' }]));
    const { data } = await gateway.query(
      'query ($id: ID!) { debtors(administrationId: $id, first: 1) { nodes { administrationId } } }',
      { id: ODD },
    );
    expect(data).toEqual({ debtors: { nodes: [{ administrationId: ODD }] } });
    const { data: node } = await gateway.query(
      'query ($id: ID!) { node(id: $id) { id ... on Administration { internalId } } }',
      { id },
    );
    expect(node).toEqual({ node: { id, internalId: ODD } });
    expect(gateway.calls().map(({ administration_id }) => administration_id)).toEqual([ODD, ODD, ODD]);
  });

  test('in what the service says of a batch, and in refusals', async () => {
    rest.misbehave({
      kind: 'body',
      body: JSON.stringify({ success: false, count: 0, errors: { [ODD]: [ODD] }, warnings: {} }),
    });
    const update = `mutation ($id: ID!) {
      updateMessages(input: { ${IN}, messages: [{ id: $id, read: true }] }) { errors { recordId messages } }
    }`;
    const { data } = await gateway.query(update, { id: ODD });
    expect(data).toEqual({ updateMessages: { errors: [{ recordId: ODD, messages: [ODD] }] } });

    rest.misbehave({ kind: 'status', status: 422, body: JSON.stringify({ code: 'bad', message: ODD }) });
    const { errors } = await gateway.query(update, { id: ODD });
    expect(errors?.[0]?.message).toContain(ODD);
    expect(errors?.[0]?.extensions.upstream).toMatchObject({ message: ODD });
  });

  test('in what is told of the calls', async () => {
    const { extensions } = await gateway.query(
      `query ($number: String!) { debtor(${IN}, by: { debtorNumber: $number }) { name } }`,
      { number: ODD },
      { ...BEARER, 'x-explain': 'true' },
    );
    expect(extensions.explain).toMatchObject([{ parameters: { debtor_numbers: [ODD] } }]);
  });
});
