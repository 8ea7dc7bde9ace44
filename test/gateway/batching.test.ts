import { describe, expect, test } from 'vitest';
import { encodeCursor } from '../../src/schema/fields/cursor.ts';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { graphql } from '../generated/index.ts';
import { codesOf } from '../support/answers.ts';
import {
  ADMINISTRATION,
  FOREIGN_ADMINISTRATION,
  SMALL_ADMINISTRATION,
  useGateway,
} from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changePage, changeRows } from '../support/rest-pages.ts';
import { debtorsOf, idsOf } from '../support/rest-records.ts';

const gateway = await useGateway();

const READS = ['id', 'administration_id'];
const DEBTORS = { call: 'GET /v1/debtors', administration_id: ADMINISTRATION };
const FORBIDDEN = { kind: 'status', status: 403 } as const;
const debtors = debtorsOf(gateway, ADMINISTRATION);
const three = debtors.slice(0, 3);
const cursorOf = (id: string) => encodeCursor({ part: null, cursor: id, before: [], isFromStart: true });
const globalIdOf = (id: string, administration = ADMINISTRATION) =>
  encodeGlobalId({ type: 'Debtor', administration, id });

const DebtorNodes = graphql(`
  query DebtorNodes($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Debtor {
        internalId
        name
      }
    }
  }
`);

function queryNodes(ids: readonly string[]) {
  return gateway.query(DebtorNodes, { ids: ids.map((id) => globalIdOf(id)) });
}

function foundIds(nodes: readonly ({ internalId?: string } | null)[]) {
  return nodes.map((node) => node?.internalId ?? null);
}

describe('lookups in one operation', () => {
  test.each([
    ['id', 'ids', three.map(({ id }) => id), []],
    ['debtorNumber', 'debtor_numbers', three.map((row) => row.debtor_number), ['debtor_number']],
    [
      'debtorIdentifier',
      'debtor_identifiers',
      three.map((row) => row.debtor_identifier),
      ['debtor_identifier'],
    ],
  ])('by %s are one call with the union of what they select', async (key, parameter, values, keyFields) => {
    const by = (value: string | undefined) =>
      `debtor(administrationId: "${ADMINISTRATION}", by: { ${key}: ${JSON.stringify(value)} })`;
    const { data } = await gateway.query(`{
      a: ${by(values[0])} { name }
      b: ${by(values[1])} { remark }
      c: ${by(values[2])} { name postalAddress { city } }
    }`);
    const [a, b, c] = three.map(present);
    expect(data).toEqual({
      a: { name: a?.name },
      b: { remark: b?.remark ?? null },
      c: { name: c?.name, postalAddress: { city: c?.postal_address.city } },
    });
    const only = [...READS, 'name', 'remark', { postal_address: ['city'] }, ...keyFields];
    // Several debtors may have one number, so that there may be more rows than keys.
    const per_page = key === 'id' ? '3' : '500';
    expect(gateway.calls()).toEqual([{ ...DEBTORS, [parameter]: values.join(','), per_page, only }]);
  });

  test('are one call for each administration, kind of key and collection', async () => {
    const [debtor] = debtorsOf(gateway, SMALL_ADMINISTRATION);
    const [first, second] = three;
    const line = gateway.rest.data.declarationLines.find((row) => row.administration_id === ADMINISTRATION);
    const { errors } = await gateway.query(`{
      administration(id: "${ADMINISTRATION}") {
        debtor(by: { id: "${first?.id}" }) { name }
        number: debtor(by: { debtorNumber: "${first?.debtor_number}" }) { name }
        declarationLine(id: "${line?.id}") { amount }
      }
      again: debtor(administrationId: "${ADMINISTRATION}", by: { id: "${second?.id}" }) { name }
      small: debtor(administrationId: "${SMALL_ADMINISTRATION}", by: { id: "${debtor?.id}" }) { name }
    }`);
    expect(errors).toBeUndefined();
    const calls = gateway.calls();
    expect(calls).toHaveLength(4);
    const only = [...READS, 'name'];
    expect(calls).toEqual(
      expect.arrayContaining([
        { ...DEBTORS, ids: `${first?.id},${second?.id}`, per_page: '2', only },
        { ...DEBTORS, debtor_numbers: first?.debtor_number, per_page: '1', only: [...only, 'debtor_number'] },
        { ...DEBTORS, administration_id: SMALL_ADMINISTRATION, ids: debtor?.id, per_page: '1', only },
        {
          call: 'GET /v1/health_care/declaration_lines',
          administration_id: ADMINISTRATION,
          ids: line?.id,
          per_page: '1',
          only: [...READS, 'amount'],
        },
      ]),
    );
  });

  test('of one record with different selections, by either id, are one call with the union', async () => {
    const id = present(three[0]).id;
    const { data, extensions } = await gateway.query(
      `query ($global: ID!, $id: ID!) {
        a: debtor(administrationId: "${ADMINISTRATION}", by: { id: $id }) { name }
        b: debtor(administrationId: "${ADMINISTRATION}", by: { id: $global }) { debtorNumber }
        node(id: $global) { ... on Debtor { updatedAt } }
        nodes(ids: [$global, $global]) { id }
        debtors(administrationId: "${ADMINISTRATION}", ids: [$global]) {
          nodes { remark }
          pageInfo { hasNextPage startCursor endCursor }
        }
      }`,
      { id, global: globalIdOf(id) },
    );
    expect(data).toEqual({
      a: { name: three[0]?.name },
      b: { debtorNumber: three[0]?.debtor_number },
      node: { updatedAt: three[0]?.updated_at },
      nodes: [{ id: globalIdOf(id) }, { id: globalIdOf(id) }],
      debtors: {
        nodes: [{ remark: three[0]?.remark }],
        pageInfo: { hasNextPage: false, startCursor: cursorOf(id), endCursor: cursorOf(id) },
      },
    });
    const only = [...READS, 'name', 'debtor_number', 'updated_at', 'remark'];
    expect(gateway.calls()).toEqual([{ ...DEBTORS, ids: id, per_page: '1', only }]);
    expect(extensions).toMatchObject({ cost: { calls: 1 } });
  });

  test.each([
    ['nothing is found', 'ids: ["none"]', 1],
    ['another filter stands beside the id', 'ids: ["none"], updatedAfter: "2020-01-01T00:00:00Z"', 2],
    ['it starts behind a cursor', `ids: ["none"], after: "${cursorOf(present(three[0]).id)}"`, 2],
    ['there are two ids', 'ids: ["none", "nobody"]', 2],
  ])('share their call with a list of one id: %s', async (_case, args, calls) => {
    const { data, extensions } = await gateway.query(
      `{
        debtor(administrationId: "${ADMINISTRATION}", by: { id: "nobody" }) { name }
        debtors(administrationId: "${ADMINISTRATION}", ${args}) { nodes { name } pageInfo { hasNextPage endCursor } }
      }`,
    );
    expect(data).toMatchObject({ debtor: null, debtors: { nodes: [], pageInfo: { endCursor: null } } });
    expect(extensions).toMatchObject({ cost: { calls } });
  });

  test('spare the others when those of one administration fail', async () => {
    const by = (administration: string) =>
      `debtor(administrationId: "${administration}", by: { id: "${three[0]?.id}" })`;
    const answer = await gateway.query(
      `{ a: ${by(ADMINISTRATION)} { name } b: ${by(FOREIGN_ADMINISTRATION)} { name } }`,
    );
    expect(answer.data).toEqual({ a: { name: three[0]?.name }, b: null });
    expect(answer.errors).toMatchObject([{ path: ['b'], extensions: { code: 'FORBIDDEN' } }]);
    expect(gateway.calls()).toHaveLength(2);
  });

  test('give the first of two records with one number, and still find what they push to a next page', async () => {
    const [a, b] = three.map(present);
    gateway.rest.misbehave(
      changePage(({ data: [first] }) => ({
        data: [first, { ...first, id: '999999', name: 'The second' }],
        pagination: { cursor: a?.id },
      })),
    );
    const by = (number = '') =>
      `debtor(administrationId: "${ADMINISTRATION}", by: { debtorNumber: "${number}" })`;
    const { data } = await gateway.query(
      `{ a: ${by(a?.debtor_number)} { name } b: ${by(b?.debtor_number)} { name } }`,
    );
    expect(data).toEqual({ a: { name: a?.name }, b: { name: b?.name } });
    const debtor_numbers = `${a?.debtor_number},${b?.debtor_number}`;
    expect(gateway.calls()).toMatchObject([
      { per_page: '500', debtor_numbers },
      { per_page: '1', debtor_numbers: b?.debtor_number },
    ]);
    expect(gateway.calls()).toHaveLength(2);
  });
});

describe('answers are matched by id', () => {
  const ids = idsOf(debtors.slice(0, 4));

  test.each([
    ['reordered', changeRows((rows) => [...rows].reverse()), ids],
    ['double', changeRows((rows) => [...rows, ...rows]), ids],
    ['missing at the start', changeRows((rows) => rows.slice(1)), [null, ...ids.slice(1)]],
    [
      'missing in the middle',
      changeRows((rows) => rows.filter((_, index) => index !== 2)),
      ids.with(2, 'null'),
    ],
    ['all missing', changeRows(() => []), [null, null, null, null]],
    [
      'mixed with others',
      changeRows((rows) => [{ id: '1', administration_id: ADMINISTRATION }, ...rows]),
      ids,
    ],
  ])('when they are %s', async (_, fault, expected) => {
    gateway.rest.misbehave(fault);
    const { data, errors } = await queryNodes(ids);
    expect(errors).toBeUndefined();
    expect(foundIds(data.nodes)).toEqual(expected.map((id) => (id === 'null' ? null : id)));
    expect(gateway.calls()).toHaveLength(1);
  });
});

describe('a lookup that is answered with a record nobody asked for', () => {
  const [a, b, other] = [present(debtors[0]), present(debtors[1]), present(debtors[2])];
  const INVALID = { extensions: { code: 'UPSTREAM_INVALID_RESPONSE', upstream: { path: '/v1/debtors' } } };
  const lookup = (by: string) => `debtor(administrationId: "${ADMINISTRATION}", by: { ${by} }) { name }`;

  test.each<[string, string, object[]]>([
    ['a number that is no text', `debtorNumber: "7"`, [{ ...a, debtor_number: 7 }]],
    ['another number', `debtorNumber: "7"`, [{ ...a, debtor_number: '07' }]],
    ['no number', `debtorNumber: "7"`, [{ ...a, debtor_number: undefined }]],
    ['another identifier', `debtorIdentifier: "7"`, [{ ...a, debtor_identifier: '8' }]],
    ['another id', `id: "7"`, [{ ...a, id: '8' }]],
    [
      'two others',
      `id: "7"`,
      [
        { ...a, id: '8' },
        { ...a, id: '9' },
      ],
    ],
  ])('is an error: %s', async (_what, by, rows) => {
    gateway.rest.misbehave(changePage(() => ({ data: rows, pagination: { cursor: 'more' } })));
    const answer = await gateway.query(`{ ${lookup(by)} }`);
    expect(answer.data).toEqual({ debtor: null });
    expect(answer.errors).toMatchObject([{ path: ['debtor'], ...INVALID }]);
    // A service that does not filter is not asked page by page.
    expect(gateway.calls()).toHaveLength(1);
  });

  test.each<[string, object[], object, string[]]>([
    ['both', [a, b], { a: { name: a.name }, b: { name: b.name } }, []],
    ['one', [a], { a: { name: a.name }, b: null }, []],
    ['none', [], { a: null, b: null }, []],
    ['one twice', [b, b], { a: null, b: { name: b.name } }, []],
    ['one and another', [other, a], { a: { name: a.name }, b: null }, ['b']],
    ['another alone', [other], { a: null, b: null }, ['a', 'b']],
    ['both and another', [other, b, a], { a: { name: a.name }, b: { name: b.name } }, []],
  ])('fails what is missing, among several: %s', async (_what, rows, data, failed) => {
    gateway.rest.misbehave(changeRows(() => rows));
    const answer = await gateway.query(
      `{ a: ${lookup(`debtorNumber: "${a.debtor_number}"`)} b: ${lookup(`debtorNumber: "${b.debtor_number}"`)} }`,
    );
    expect(answer.data).toEqual(data);
    expect(answer.errors ?? []).toMatchObject(failed.map((name) => ({ path: [name], ...INVALID })));
    expect(gateway.calls()).toHaveLength(1);
  });
});

describe('a long list of ids', () => {
  test('is split at 500, and each call asks for as many rows as it has ids', async () => {
    const ids = idsOf(debtors.slice(0, 1200));
    const { data } = await queryNodes(ids);
    expect(foundIds(data.nodes)).toEqual(ids);
    const sent = gateway.rest.calls.map(({ query }) => [query.ids?.split(',').length, query.per_page]);
    expect(sent.sort()).toEqual([
      [200, '200'],
      [500, '500'],
      [500, '500'],
    ]);
    expect(gateway.rest.calls.flatMap(({ query }) => query.ids?.split(',')).sort()).toEqual(ids);
  });

  test('is split into as few calls as URLs of 4,000 bytes allow, when much is selected beside it', async () => {
    const ids = idsOf(debtors.slice(0, 700));
    const { data, errors } = await gateway.query(
      `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Debtor { internalId
        bankAccountName bankAccountNumber bookOpenAmount callPhoneNumber smsPhoneNumber cocNumber vatNumber
        creditLimitAmount autogeneratedCreditLimitAmount externalCreditLimitAmount externalCreditLimitCurrencyCode
        debtorProvidedEmailAddress primaryEmailAddress invoiceEmailAddress invoiceCcEmailAddress
        invoiceBccEmailAddress reminderEmailAddress reminderCcEmailAddress reminderBccEmailAddress
        internalNoteEmailAddress publicUrl deeplinkUrl labels { name } languageCode paymentBehaviour
      } } }`,
      { ids: ids.map((id) => globalIdOf(id)) },
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ nodes: ids.map((internalId) => ({ internalId })) });

    const lengths = gateway.rest.calls.map(({ url }) => gateway.rest.url.length + url.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4000);
    const [{ query, url } = { query: { ids: '' }, url: '' }] = gateway.rest.calls;
    const room = 4000 - (gateway.rest.url.length + url.length - (query.ids?.length ?? 0));
    expect(lengths).toHaveLength(Math.ceil((ids.length * 7) / room));
    expect(lengths.length).toBeGreaterThan(1);
  });

  test('loses only the part whose call fails', async () => {
    gateway.rest.misbehave(FORBIDDEN);
    const answer = await queryNodes(idsOf(debtors.slice(0, 600)));
    const failed = present(gateway.rest.calls.find(({ status }) => status === 403)).query.ids?.split(
      ',',
    ).length;
    expect(codesOf(answer)).toEqual(Array(failed).fill('FORBIDDEN'));
    expect(foundIds(answer.data.nodes).filter((id) => id !== null)).toHaveLength(600 - present(failed));
    expect(gateway.calls()).toHaveLength(2);
  });
});
