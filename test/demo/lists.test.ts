import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { debtorShape } from '../../src/demo/data/records.ts';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';
import { asCompanyA, call, get, idsOf, rowsOf } from './support.ts';

const DEBTORS = '/v1/debtors';
const LINES = '/v1/health_care/declaration_lines';
const CASES = '/v1/credit_cases/deleted';
const PAYMENTS = '/v1/payments/deleted';
const FIRST = { administration_id: '1001' };

let service: DemoService;
beforeAll(async () => {
  service = await startDemoService();
});
afterAll(() => service.close());

const debtors = (parameters: Record<string, string>) => get(service, DEBTORS, { ...FIRST, ...parameters });
const select = (...only: unknown[]) => ({ ...FIRST, per_page: '200', fields: JSON.stringify({ only }) });
const namesIn = (rows: object[]) => new Set(rows.flatMap((row) => Object.keys(row)));

describe('filters of the embedded service', () => {
  it('exclude a record with exactly the given time', async () => {
    const [line] = service.data.declarationLines.filter((each) => each.administration_id === '1001');
    const { id, created_at, updated_at } = line ?? expect.fail('no such line');
    const before = new Date(Date.parse(created_at) - 1).toISOString();
    const after = new Date(Date.parse(created_at) + 1).toISOString();
    const find = async (filter: Record<string, string>) =>
      idsOf(await get(service, LINES, { ...FIRST, ids: id, ...filter }));
    expect(await find({ created_after: before, created_before: after })).toEqual([id]);
    expect(await find({ created_after: created_at })).toEqual([]);
    expect(await find({ created_before: created_at })).toEqual([]);
    expect(await find({ updated_after: updated_at })).toEqual([]);
  });
});

describe('fields of the embedded service', () => {
  it('that are on demand are omitted unless they are requested', async () => {
    const usual = Object.entries(debtorShape).filter(([, field]) => !field.onDemand);
    expect(namesIn(rowsOf(await debtors({ per_page: '200' })))).toEqual(new Set(usual.map(([name]) => name)));
    const rows = rowsOf(await debtors(select('id', 'book_open_amount', { postal_address: ['city'] })));
    const [{ id, book_open_amount, postal_address } = expect.fail('no debtor')] = service.data.debtors;
    expect(rows[0]).toEqual({ id, book_open_amount, postal_address: { city: postal_address.city } });
    expect(rowsOf(await debtors(select('remark')))).toContainEqual({});
  });
});

it.each<Record<string, string>>([
  { per_page: '0' },
  { per_page: '501' },
  { cursor: '999999' },
  { updated_after: '2025-01-31' },
  { updated_after: '2025-02-30T12:00:00Z' },
  { ids: '300001,,300004' },
  { claim_status: 'draft' },
  { updatedAfter: '2025-01-31T12:00:00Z' },
  { fields: 'id,name' },
  { fields: '{"only":["id"],"except":["name"]}' },
  { fields: '{"only":["constructor"]}' },
  { fields: '{"only":["postal_address",{"postal_address":["city"]}]}' },
  { fields: '{"only":[{"postal_address":["city"],"labels":["name"]}]}' },
])('the embedded service rejects %j', async (parameters) => {
  const { status, body } = await debtors(parameters);
  expect([status, body]).toEqual([400, { code: 'bad_request', message: expect.any(String) }]);
});

it.each([
  [CASES, 'deletedCreditCases'],
  [PAYMENTS, 'deletedPayments'],
] as const)('%s lists records for 90 days, or for a given period', async (path, key) => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const all = service.data[key].filter((record) => record.administration_id === '1001');
  const kept = all.filter((record) => record.deleted_at >= ago(90));
  expect(kept.length).toBeLessThan(all.length);
  expect(rowsOf(await get(service, path, { ...FIRST, per_page: '500' }))).toEqual(kept.slice(0, 500));
  const period = { ...FIRST, deleted_after: ago(60), deleted_before: ago(30), per_page: '500' };
  const between = kept.filter(({ deleted_at }) => deleted_at > ago(60) && deleted_at < ago(30));
  expect(rowsOf(await get(service, path, period))).toEqual(between);
});

it('the embedded service rejects unknown paths, methods and parameters with a status', async () => {
  const ids = service.data.debtors.slice(0, 700).map((debtor) => debtor.id);
  const statusOf = async (target: string, method = 'GET') =>
    (await call(service, target, { method, headers: asCompanyA })).status;
  expect(await statusOf('/v1/debtors/')).toBe(404);
  expect(await statusOf('/v1/tasks')).toBe(404);
  expect(await statusOf('/v1/debtors', 'POST')).toBe(405);
  expect(await statusOf('/v1/debtors?administration_id=1001&administration_id=1002')).toBe(400);
  expect(await statusOf('/v1/debtors?administration_id=1001&ids=%zz')).toBe(400);
  expect(await statusOf(`/v1/debtors?administration_id=1001&ids=${ids}`)).toBe(414);
});
