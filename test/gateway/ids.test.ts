import { describe, expect, test } from 'vitest';
import { ADMINISTRATION, BOTH, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { globalId } from '../support/ids.ts';
import { present } from '../support/present.ts';
import { changeRows } from '../support/rest-pages.ts';
import { debtorsOf } from '../support/rest-records.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();
const { rest } = gateway;

const isOwn = (row: { readonly administration_id: string }) => row.administration_id === ADMINISTRATION;
const debtor = present(debtorsOf(gateway, ADMINISTRATION)[0]);
const line = present(rest.data.declarationLines.find(isOwn));
const task = present(rest.data.tasks.find((row) => isOwn(row) && !row.completed_at));
const message = present(rest.data.messages.find(isOwn));
const ADMINISTRATION_ID = globalId('Administration', ADMINISTRATION);

const IN = `administrationId: "${ADMINISTRATION}"`;
const INSIDE = `administration(id: "${ADMINISTRATION}")`;

/** Each type, an id of it, and the operations that take one as `$id`. */
const OPERATIONS: [string, string, string[]][] = [
  [
    'Administration',
    ADMINISTRATION,
    [
      '{ administration(id: $id) { internalId debtors(first: 1) { nodes { id } } } }',
      `{ debtor(administrationId: $id, by: { id: "${debtor.id}" }) { name } }`,
      '{ debtors(administrationId: $id, first: 1) { nodes { id } } }',
      `{ declarationLine(administrationId: $id, id: "${line.id}") { amount } }`,
      '{ declarationLines(administrationId: $id, first: 1) { nodes { id } } }',
      '{ deletedCreditCases(administrationId: $id, first: 1) { nodes { id } } }',
      '{ deletedPayments(administrationId: $id, first: 1) { nodes { id } } }',
      `mutation { unmarkTaskCompleted(input: { taskId: "${task.id}", administrationId: $id }) { task { id } } }`,
      `mutation { updateMessages(input: { administrationId: $id, messages: [{ id: "${message.id}", read: true }] }) { success } }`,
    ],
  ],
  [
    'Debtor',
    debtor.id,
    [
      `{ debtor(${IN}, by: { id: $id }) { name } }`,
      `{ debtors(${IN}, ids: [$id]) { nodes { name } } }`,
      `{ ${INSIDE} { debtor(by: { id: $id }) { name } } }`,
      `{ ${INSIDE} { debtors(ids: [$id]) { nodes { name } } } }`,
    ],
  ],
  [
    'DeclarationLine',
    line.id,
    [
      `{ declarationLine(${IN}, id: $id) { amount } }`,
      `{ declarationLines(${IN}, ids: [$id]) { nodes { amount } } }`,
      `{ ${INSIDE} { declarationLine(id: $id) { amount } } }`,
      `{ ${INSIDE} { declarationLines(ids: [$id]) { nodes { amount } } } }`,
    ],
  ],
  ['Task', task.id, [`mutation { unmarkTaskCompleted(input: { taskId: $id, ${IN} }) { task { subject } } }`]],
];
const ID_ARGUMENTS = OPERATIONS.flatMap(([type, id, operations]) =>
  operations.map((operation): [string, string, string] => [operation, type, id]),
);

test.each(ID_ARGUMENTS)('%s accepts both kinds of ids, only of its own type', async (operation, type, id) => {
  const document = operation.replace(/^(mutation )?/, (kind) => `${kind || 'query '}($id: ID!) `);
  for (const refused of [
    '',
    globalId(type === 'Debtor' ? 'DeclarationLine' : 'Debtor', id),
    ...(type === 'Administration' ? [] : [globalId(type, id, SMALL_ADMINISTRATION)]),
  ])
    expectRefused(gateway, await gateway.query(document, { id: refused }));
  const byInternal = await gateway.query(document, { id });
  const byGlobal = await gateway.query(document, { id: globalId(type, id) });
  expect([byInternal.errors, byGlobal.errors]).toEqual([undefined, undefined]);
  expect(byGlobal.data).toEqual(byInternal.data);
  const [call, same, ...others] = gateway.calls();
  expect([same, others]).toEqual([call, []]);
});

describe('a global id', () => {
  test('is safe in a URL, and differs by type and administration for one internal id', async () => {
    rest.misbehave({ ...changeRows(([row]) => [{ ...row, id: '7/ü?"' }]), times: 6 });
    const list = (name: string, administration = ADMINISTRATION) =>
      `${name}(administrationId: "${administration}", first: 1) { nodes { id internalId } }`;
    const { text, errors } = await gateway.query(
      `{
        ${list('debtors')} small: ${list('debtors', SMALL_ADMINISTRATION)} ${list('declarationLines')}
        ${list('deletedCreditCases')} ${list('deletedPayments')}
        companies(first: 1) { nodes { id internalId } }
        administration(id: "7/ü?\\"") { id internalId }
      }`,
      {},
      BOTH,
    );
    expect(errors).toBeUndefined();
    const ids = Array.from(text.matchAll(/"id":"([^"]*)","internalId":"7\/ü\?\\""/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(7);
    for (const id of ids) expect(id).toMatch(/^[\w-]+$/);
  });

  test('of a task sends its administration to REST', async () => {
    const taskId = globalId('Task', task.id);
    const { data } = await gateway.query(
      `mutation { unmarkTaskCompleted(input: { taskId: "${taskId}" }) { task { id internalId } } }`,
    );
    expect(data).toEqual({ unmarkTaskCompleted: { task: { id: taskId, internalId: task.id } } });
    expect(gateway.calls()).toMatchObject([
      { call: `PATCH /v1/tasks/${task.id}/unmark_completed`, body: { administration_id: ADMINISTRATION } },
    ]);
  });
});

describe('node', () => {
  const document =
    'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Administration { name } } }';

  test('needs no call for an administration, and returns its lists', async () => {
    const query = (selection: string) => gateway.query(`{ node(id: "${ADMINISTRATION_ID}") ${selection} }`);
    expect((await query('{ __typename id }')).data).toEqual({
      node: { __typename: 'Administration', id: ADMINISTRATION_ID },
    });
    expect(gateway.calls()).toEqual([]);
    const lists = await query('{ ... on Administration { debtors(first: 1) { nodes { name } } } }');
    expect(lists.data).toEqual({ node: { debtors: { nodes: [{ name: debtor.name }] } } });
    expect(gateway.calls()).toHaveLength(1);
  });

  test('returns records of several types in the order of their ids, and null for a deleted one', async () => {
    const small = present(debtorsOf(gateway, SMALL_ADMINISTRATION)[0]);
    const ids = [
      globalId('DeclarationLine', line.id),
      globalId('Debtor', small.id, SMALL_ADMINISTRATION),
      globalId('Debtor', '999999'),
      ADMINISTRATION_ID,
      globalId('Debtor', debtor.id),
      globalId('Debtor', debtor.id),
    ];
    const { data, errors } = await gateway.query(document, { ids });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      nodes: [
        { __typename: 'DeclarationLine', id: ids[0] },
        { __typename: 'Debtor', id: ids[1] },
        null,
        { __typename: 'Administration', id: ids[3], name: null },
        { __typename: 'Debtor', id: ids[4] },
        { __typename: 'Debtor', id: ids[5] },
      ],
    });
    const calls = gateway
      .calls()
      .map(({ call, administration_id, ids: sent, per_page }) => [call, administration_id, sent, per_page]);
    expect(calls.toSorted()).toEqual([
      ['GET /v1/debtors', ADMINISTRATION, `999999,${debtor.id}`, '2'],
      ['GET /v1/debtors', SMALL_ADMINISTRATION, small.id, '1'],
      ['GET /v1/health_care/declaration_lines', ADMINISTRATION, line.id, '1'],
    ]);
  });

  test('returns null with an error for each invalid id, and all other records', async () => {
    const good = globalId('Debtor', debtor.id);
    const bad = [
      debtor.id,
      '',
      globalId('Company', '101', ''),
      globalId('Query', '1'),
      globalId('Debtor', '1,2'),
      globalId('Debtor', 'x'.repeat(1001)),
      globalId('Debtor', debtor.id, 'x'.repeat(1001)),
      `${good}=`,
      ...['["Debtor","1001"]', '["Debtor","1001",300001]', '["Debtor", "1001", "300001"]', '["Debtor'].map(
        (text) => Buffer.from(text).toString('base64url'),
      ),
    ];
    const { data, errors } = await gateway.query(document, { ids: [...bad, good] });
    expect(data).toEqual({ nodes: [...bad.map(() => null), { __typename: 'Debtor', id: good }] });
    expect(errors).toMatchObject(
      bad.map((_, index) => ({ path: ['nodes', index], extensions: { code: 'BAD_USER_INPUT' } })),
    );
    expect(gateway.calls()).toMatchObject([{ ids: debtor.id, per_page: '1' }]);
  });
});

test.each(['debtors', 'deletedPayments'])('every record of %s has its administration', async (list) => {
  rest.misbehave(changeRows((rows) => rows.map((row) => ({ ...row, administration_id: undefined }))));
  const { data } = await gateway.query(`{ ${list}(${IN}, first: 1) { nodes { administrationId } } }`);
  expect(data).toEqual({ [list]: { nodes: [{ administrationId: ADMINISTRATION }] } });
});

describe('an id that could change its URL', () => {
  const unmark = 'mutation ($id: ID!) { unmarkTaskCompleted(input: { taskId: $id }) { task { id } } }';
  const lookUp = `query ($id: ID!) { debtor(${IN}, by: { id: $id }) { name } }`;

  test.each(['"quotes"', '%2e%2e', 'ë–漢字🦊', 'a+b', 'a&ids=1', '...'])('is encoded: %s', async (id) => {
    expect((await gateway.query(lookUp, { id })).data).toEqual({ debtor: null });
    expect(gateway.calls()).toMatchObject([{ administration_id: ADMINISTRATION, ids: id, per_page: '1' }]);
    const { errors } = await gateway.query(unmark, { id });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    const [inQuery, inPath, ...others] = rest.calls.map(({ url }) => url);
    expect(inQuery).toMatch(/^[\w\-.~!*'()%,:/?&=]+$/);
    const [, segment = ''] = /^\/v1\/tasks\/([\w\-.~!*'()%,:]+)\/unmark_completed$/.exec(inPath ?? '') ?? [];
    expect([decodeURIComponent(segment), others]).toEqual([id, []]);
  });

  test.each(['../messages', '..', '.', 'a/b', '/', 'a\\b', '\ud800'])('is rejected: %j', async (id) => {
    for (const given of [id, globalId('Task', id)])
      expectRefused(gateway, await gateway.query(unmark, { id: given }));
  });
});
