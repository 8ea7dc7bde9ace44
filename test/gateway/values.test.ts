import { describe, expect, test } from 'vitest';
import { debtorShape, type ShapeField } from '../../src/demo/data/records.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { changeRows } from '../support/rest-pages.ts';
import { debtorsOf } from '../support/rest-records.ts';
import { camelCase } from './support.ts';

const gateway = await useGateway();
const { rest } = gateway;
const IN = `administrationId: "${ADMINISTRATION}"`;

test.each([
  [
    'moment',
    'updated_at',
    'updatedAt',
    ['2024-05-01T00:00:00.100000Z', '2024-05-01T02:00:00+02:00', '2024-05-01'],
  ],
  [
    'amount',
    'credit_limit_amount',
    'creditLimitAmount',
    ['9007199254740993.10', '-0.00', '1.5000', '00012', ''],
  ],
])('a %s of REST is returned byte for byte', async (_what, member, field, values) => {
  for (const value of values) {
    rest.misbehave(changeRows(([row]) => [{ ...row, [member]: value }]));
    const { data } = await gateway.query(`{ debtors(${IN}, first: 1) { nodes { ${field} } } }`);
    expect(data).toEqual({ debtors: { nodes: [{ [field]: value }] } });
  }
});

/** The administration of the edge cases, which are legal and rare. */
const ODD = '1003';
const IN_ODD = `administrationId: "${ODD}"`;
const debtors = debtorsOf(gateway, ODD);

test('every field of every edge-case debtor equals that of the service', async () => {
  const fields = Object.entries<ShapeField>(debtorShape).filter(([name]) => name !== 'id');
  const selection = fields.map(([name, { nested = [] }]) => {
    return nested.length > 0 ? `${camelCase(name)} { ${nested.map(camelCase).join(' ')} }` : camelCase(name);
  });
  const { data } = await gateway.query(
    `{ debtors(${IN_ODD}) { nodes { internalId ${selection.join(' ')} } } }`,
  );
  const pick = (row: object, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [camelCase(name), Object(row)[name] ?? null]));
  const answerOf = (value: unknown, nested: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => answerOf(item, nested));
    return nested.length > 0 && value ? pick(Object(value), nested) : (value ?? null);
  };
  const nodes = debtors.map((row) => {
    const values = fields.map(([name, { nested = [] }]) => [
      camelCase(name),
      answerOf(Object(row)[name], nested),
    ]);
    return { internalId: row.id, ...Object.fromEntries(values) };
  });
  expect(data).toEqual({ debtors: { nodes } });
});

test('text beyond ASCII is the same whether or not the service escapes it', async () => {
  const row = { name: 'ë–漢字🦊', remark: 'a & "b" \\ \u2028' };
  const rows = JSON.stringify([{ id: '1', ...row }]);
  const escaped = rows.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  for (const sent of [rows, escaped]) {
    rest.misbehave({ kind: 'body', body: `{"data":${sent},"pagination":null}` });
    const { data } = await gateway.query(`{ debtors(${IN}, first: 1) { nodes { name remark } } }`);
    expect(data).toEqual({ debtors: { nodes: [row] } });
  }
});

/** State that one request leaves must never reach another. */
describe('two requests that differ', () => {
  test('have separate plans, although their variables would be equal when joined', async () => {
    const query = `query ($x1: String!, $y: Boolean!, $x2: String!) {
      debtors(${IN}, debtorNumbers: [$x1, $x2]) { nodes { id } }
      shown: __typename @include(if: $y)
    }`;
    const run = async (x1: string, y: boolean, x2: string) =>
      (await gateway.query(query, { x1, y, x2 })).data;
    expect(await run('a true', false, 'b')).not.toHaveProperty('shown');
    expect(await run('a', true, 'false b')).toHaveProperty('shown', 'Query');
  });

  test('are parsed separately if they differ only in half a surrogate pair and U+FFFD', async () => {
    const run = async (character: string) =>
      (await gateway.post(`{"query":"{ __typename } # ${character}"}`)).json();
    expect(codesOf(await run('\\ud800'))).toEqual(['GRAPHQL_PARSE_FAILED']);
    expect(await run('\\ufffd')).toMatchObject({ data: { __typename: 'Query' } });
  });
});
