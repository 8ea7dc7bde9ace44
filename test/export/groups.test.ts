import { describe, expect, test } from 'vitest';
import { SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { changeRows } from '../support/rest-pages.ts';
import { exportText, fetchExport, linesIn } from './support.ts';

const gateway = await useGateway();

const inList = (rows: string, args = '') =>
  `{ debtors(administrationId: "${SMALL_ADMINISTRATION}"${args}) { ${rows} } }`;
const CITIES = 'groups(by: POSTAL_ADDRESS_CITY, thenBy: NAME, orderBy: [{ field: BOOK_OPEN_AMOUNT_SUM }]';
const SELECTION = '{ key thenKey totals { count bookOpenAmount { sum } } }';

interface Body {
  readonly debtors: {
    readonly groups: readonly {
      readonly key: string | null;
      readonly thenKey: string | null;
      readonly totals: { readonly count: number; readonly bookOpenAmount: { readonly sum: string } };
    }[];
    readonly totals: object;
  };
}

async function ask(query: string): Promise<Body['debtors']> {
  const { data, errors } = await gateway.query(query);
  expect(errors).toBeUndefined();
  return (data as Body).debtors;
}

test('an export has all groups without `first`, each as a row with its totals as columns', async () => {
  const { groups } = await ask(inList(`${CITIES}, first: 1000) ${SELECTION}`));
  expect(groups.length).toBeGreaterThan(100);
  gateway.rest.calls.length = 0;
  const lines = linesIn(await exportText(gateway, 'ndjson', inList(`${CITIES}) ${SELECTION}`)));
  const rows = groups.map(({ totals, ...keys }) => ({ ...keys, ...totals }));
  expect(lines).toEqual([...rows, { end: true, rows: rows.length }]);
  const only = ['id', 'administration_id', 'book_open_amount', { postal_address: ['city'] }, 'name'];
  expect(gateway.calls()).toMatchObject([{ only }, { only }]);
  const csv = await exportText(gateway, 'csv', inList(`${CITIES}, first: 2) ${SELECTION}`), {
    options: { separator: ';', decimal: ',' },
  });
  const cells = groups
    .slice(0, 2)
    .map(({ key, thenKey, totals: { count, bookOpenAmount } }) =>
      [key, thenKey, count, bookOpenAmount.sum.replace('.', ',')].join(';'),
    );
  expect(csv).toBe(`${['key;thenKey;count;bookOpenAmount.sum', ...cells].join('\r\n')}\r\n`);
});

test('an export of totals has one row, also for a filtered list', async () => {
  const list = inList(
    'totals { count isComplete open: bookOpenAmount { sum } }',
    ', where: { bookOpenAmount: { gt: "0" } }, first: 1',
  );
  const { totals } = await ask(list);
  expect(linesIn(await exportText(gateway, 'ndjson', list))).toEqual([totals, { end: true, rows: 1 }]);
  const [header, row] = (await exportText(gateway, 'csv', list)).split('\r\n');
  expect([header, row]).toEqual(['count,isComplete,open.sum', Object.values(totals).map(cellOf).join()]);
});

function cellOf(value: unknown): unknown {
  return typeof value === 'object' ? Reflect.get(Object(value), 'sum') : value;
}

test.each(['totals { count }', 'groups(by: NAME) { key totals { count } }'])(
  'groups or totals that do not cover the whole list fail as a file, unless `isComplete` is selected: %s',
  async (rows) => {
    const response = await fetchExport(gateway, 'csv', inList(rows, ', among: 100'));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'LIST_TOO_LONG' } }] });
    const telling = inList(rows.replace('count', 'complete: isComplete'), ', among: 100');
    const file = await fetchExport(gateway, 'csv', telling);
    expect(file.headers.get('content-disposition')).toContain(`filename="debtors-${rows.slice(0, 6)}.csv"`);
    expect(await file.text()).toContain('false');
  },
);

test('an export of groups or totals fails if a value is invalid', async () => {
  for (const rows of ['totals { open: bookOpenAmount { sum } }', CITIES + SELECTION.replace(/^/, ') ')]) {
    gateway.rest.misbehave(
      changeRows(([first, ...others]) => [{ ...first, book_open_amount: 'much' }, ...others]),
    );
    const response = await fetchExport(gateway, 'ndjson', inList(rows));
    expect(response.status).toBe(502);
    expect(await response.text()).toContain('UPSTREAM_INVALID_RESPONSE');
  }
});

test.each([
  ['cursor', '1'],
  ['after', 'x'],
])('an export of groups rejects %s', async (name, value) => {
  const options = { [name]: value };
  const response = await fetchExport(gateway, 'csv', inList('groups(by: NAME) { key }'), { options });
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining(`\`${name}\` is for records`),
  ]);
  expect(gateway.calls()).toEqual([]);
});

describe('days, months and years start at midnight of `timeZone`', () => {
  const inZone = (timeZone: string) => ({ options: { timeZone } });
  const groupsIn = (zone: string) =>
    inList(`groups(by: UPDATED_AT_DAY, thenBy: UPDATED_AT_YEAR, timeZone: "${zone}") { key thenKey }`);

  test.each([
    ['Europe/Amsterdam', '2025-01-01', '2025'],
    ['America/New_York', '2024-12-31', '2024'],
    ['UTC', '2024-12-31', '2024'],
  ])('%s, in files too', async (zone, key, thenKey) => {
    gateway.rest.misbehave({
      ...changeRows((rows) => rows.map((row) => ({ ...row, updated_at: '2024-12-31T23:30:00Z' }))),
      times: 20,
    });
    expect((await ask(groupsIn(zone))).groups).toEqual([{ key, thenKey }]);
    expect(await exportText(gateway, 'csv', groupsIn(zone))).toBe(`key,thenKey\r\n${key},${thenKey}\r\n`);
    expect(linesIn(await exportText(gateway, 'ndjson', groupsIn(zone)))[0]).toEqual({ key, thenKey });
  });

  test('rather than of the option of a file, which is for dates of records', async () => {
    const file = await fetchExport(gateway, 'csv', groupsIn('UTC'), inZone('Europe/Amsterdam'));
    expect(await file.json()).toMatchObject({
      errors: [{ message: expect.stringContaining('Write `groups(by: …, timeZone: …)` instead.') }],
    });
    expect(gateway.calls()).toEqual([]);
  });

  test.each(['+01:00', 'Nowhere'])('but not in the invalid zone %s, which is rejected', async (zone) => {
    const message = '`timeZone` takes the name of a time zone, such as `Europe/Amsterdam`.';
    const error = { message, extensions: { code: 'BAD_USER_INPUT' } };
    expect(await gateway.query(groupsIn(zone))).toMatchObject({
      data: { debtors: null },
      errors: [error],
    });
    const file = await fetchExport(gateway, 'csv', groupsIn(zone));
    expect({ status: file.status, ...(await file.json()) }).toMatchObject({ status: 400, errors: [error] });
    const option = await fetchExport(gateway, 'csv', inList('nodes { updatedAt }'), inZone(zone));
    expect({ status: option.status, ...(await option.json()) }).toMatchObject({
      status: 400,
      errors: [{ extensions: { code: 'BAD_REQUEST' } }],
    });
  });
});
