import { describe, expect, test } from 'vitest';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { graphql } from '../generated/index.ts';
import { ADMINISTRATION, BOTH, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changeRows } from '../support/rest-pages.ts';
import { debtorsOf } from '../support/rest-records.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();
const { rest } = gateway;

const globalId = (type: string, id: string, administration = ADMINISTRATION) =>
  encodeGlobalId({ type, administration, id });
const globalAdministration = globalId('Administration', ADMINISTRATION);
const debtor = present(debtorsOf(gateway, ADMINISTRATION)[0]);
const line = present(rest.data.declarationLines.find((row) => row.administration_id === ADMINISTRATION));
const task = present(
  rest.data.tasks.find((row) => row.administration_id === ADMINISTRATION && !row.completed_at),
);
const message = present(rest.data.messages.find((row) => row.administration_id === ADMINISTRATION));

const IN = `administrationId: "${ADMINISTRATION}"`;
const INSIDE = `administration(id: "${ADMINISTRATION}")`;
const UPDATE = `messages: [{ id: "${message.id}", read: true }]`;

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
      `mutation { updateMessages(input: { administrationId: $id, ${UPDATE} }) { success } }`,
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

const documentOf = (operation: string) =>
  operation.replace(/^(mutation )?/, (kind) => `${kind || 'query '}($id: ID!) `);

describe.each(ID_ARGUMENTS)('%s', (operation, type, id) => {
  const document = documentOf(operation);

  test('takes a global and an internal id alike', async () => {
    const byInternal = await gateway.query(document, { id });
    const internalCalls = gateway.calls();
    rest.calls.length = 0;
    const byGlobal = await gateway.query(document, { id: globalId(type, id) });
    expect(byInternal.errors).toBeUndefined();
    expect(byGlobal.errors).toBeUndefined();
    expect(byGlobal.data).toEqual(byInternal.data);
    expect(internalCalls).toHaveLength(1);
    expect(gateway.calls()).toEqual(internalCalls);
  });

  test('refuses the global id of another type', async () => {
    const other = type === 'Debtor' ? 'DeclarationLine' : 'Debtor';
    expectRefused(gateway, await gateway.query(document, { id: globalId(other, id) }));
  });

  test('refuses an empty id', async () => {
    expectRefused(gateway, await gateway.query(document, { id: '' }));
  });
});

test.each(ID_ARGUMENTS.filter(([, type]) => type !== 'Administration'))(
  '%s refuses a record of another administration',
  async (operation, type, id) => {
    const foreign = globalId(type, id, SMALL_ADMINISTRATION);
    expectRefused(gateway, await gateway.query(documentOf(operation), { id: foreign }));
  },
);

describe('a global id', () => {
  test('is safe in a URL, and differs by type and by administration for one internal id', async () => {
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
    expect(ids).toHaveLength(7);
    expect(new Set(ids).size).toBe(7);
    for (const id of ids) expect(id).toMatch(/^[\w-]+$/);
  });

  test('finds its record again, whatever characters the internal id has', async () => {
    rest.misbehave(changeRows(([row]) => [{ ...row, id: '7/ü?"' }]));
    const { data } = await gateway.query(
      graphql(`
        query FirstDebtorId($administrationId: ID!) {
          debtors(administrationId: $administrationId, first: 1) { nodes { id } }
        }
      `),
      { administrationId: ADMINISTRATION },
    );
    const id = present(data.debtors?.nodes[0]).id;
    rest.misbehave(changeRows(() => [{ id: '7/ü?"' }]));
    const again = await gateway.query(
      'query ($id: ID!) { node(id: $id) { id ... on Debtor { internalId } } }',
      { id },
    );
    expect(again.data).toEqual({ node: { id, internalId: '7/ü?"' } });
    expect(gateway.calls().at(-1)).toMatchObject({ ids: '7/ü?"', administration_id: ADMINISTRATION });
  });

  test('of a task brings its administration along', async () => {
    const document =
      'mutation ($taskId: ID!) { unmarkTaskCompleted(input: { taskId: $taskId }) { task { id internalId } } }';
    const taskId = globalId('Task', task.id);
    const { data } = await gateway.query(document, { taskId });
    expect(data).toEqual({ unmarkTaskCompleted: { task: { id: taskId, internalId: task.id } } });
    expect(gateway.calls()).toMatchObject([
      { call: `PATCH /v1/tasks/${task.id}/unmark_completed`, body: { administration_id: ADMINISTRATION } },
    ]);
  });
});

describe('node', () => {
  const document =
    'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Administration { name } } }';

  test('of an administration costs no call, and leads to its lists', async () => {
    const { data } = await gateway.query('query ($id: ID!) { node(id: $id) { __typename id } }', {
      id: globalAdministration,
    });
    expect(data).toEqual({ node: { __typename: 'Administration', id: globalAdministration } });
    expect(gateway.calls()).toEqual([]);
    const lists = await gateway.query(
      'query ($id: ID!) { node(id: $id) { ... on Administration { debtors(first: 1) { nodes { name } } } } }',
      { id: globalAdministration },
    );
    expect(lists.data).toEqual({ node: { debtors: { nodes: [{ name: debtor.name }] } } });
    expect(gateway.calls()).toHaveLength(1);
  });

  test('gives records of several types and administrations in the order of the ids, null where one is gone', async () => {
    const small = present(debtorsOf(gateway, SMALL_ADMINISTRATION)[0]);
    const ids = [
      globalId('DeclarationLine', line.id),
      globalId('Debtor', small.id, SMALL_ADMINISTRATION),
      globalId('Debtor', '999999'),
      globalAdministration,
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
    const calls = gateway.calls();
    expect(calls).toHaveLength(3);
    expect(calls).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          administration_id: ADMINISTRATION,
          ids: `999999,${debtor.id}`,
          per_page: '2',
        }),
        expect.objectContaining({ administration_id: SMALL_ADMINISTRATION, ids: small.id, per_page: '1' }),
        expect.objectContaining({
          call: 'GET /v1/health_care/declaration_lines',
          ids: line.id,
          per_page: '1',
        }),
      ]),
    );
  });

  test('gives what debtors and declaration lines share in one selection, also where REST leaves it out', async () => {
    const both = `query ($ids: [ID!]!) { nodes(ids: $ids) {
      ... on Debtor { administrationId updatedAt }
      ... on DeclarationLine { administrationId updatedAt }
    } }`;
    const ids = [globalId('Debtor', debtor.id), globalId('DeclarationLine', line.id)];
    const asSent = await gateway.query(both, { ids });
    const [ofDebtor, ofLine] = [debtor, line].map(({ updated_at }) => ({
      administrationId: ADMINISTRATION,
      updatedAt: updated_at,
    }));
    expect(asSent.data).toEqual({ nodes: [ofDebtor, ofLine] });

    const leaveOut = changeRows((rows) =>
      rows.map((row) => ({ ...row, administration_id: undefined, updated_at: undefined })),
    );
    rest.misbehave(leaveOut);
    rest.misbehave(leaveOut);
    const without = await gateway.query(both, { ids });
    expect(without.errors).toBeUndefined();
    const filled = { administrationId: ADMINISTRATION, updatedAt: null };
    expect(without.data).toEqual({ nodes: [filled, filled] });
  });

  test.each(['debtors', 'declarationLines', 'deletedCreditCases', 'deletedPayments'])(
    'every row of %s has an administration, also where REST leaves it out',
    async (list) => {
      rest.misbehave(changeRows((rows) => rows.map((row) => ({ ...row, administration_id: undefined }))));
      const { data, errors } = await gateway.query(
        `{ ${list}(${IN}, first: 2) { nodes { administrationId } } }`,
      );
      expect(errors).toBeUndefined();
      const filled = { administrationId: ADMINISTRATION };
      expect(data).toEqual({ [list]: { nodes: [filled, filled] } });
    },
  );

  test('gives null and an error for each id that it cannot take, beside the others', async () => {
    const good = globalId('Debtor', debtor.id);
    const bad = [
      debtor.id,
      '',
      globalId('Company', '101', ''),
      globalId('Query', '1'),
      globalId('Nobody', '1'),
      `${good}=`,
    ];
    const { data, errors } = await gateway.query(document, { ids: [...bad, good] });
    expect(data).toEqual({ nodes: [...bad.map(() => null), { __typename: 'Debtor', id: good }] });
    expect(errors).toMatchObject(
      bad.map((_, index) => ({ path: ['nodes', index], extensions: { code: 'BAD_USER_INPUT' } })),
    );
    expect(gateway.calls()).toHaveLength(1);
  });
});
