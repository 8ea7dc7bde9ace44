import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { claimStatuses } from '../../src/demo/data/records.ts';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';
import { asApplication, basic, bearer, cursorOf, get, idsOf, rowsOf, walk } from './support.ts';

const DEBTORS = '/v1/debtors';
const LINES = '/v1/health_care/declaration_lines';
const CASES = '/v1/credit_cases/deleted';
const PAYMENTS = '/v1/payments/deleted';
const ofFirst = { administration_id: '1001' };

let service: DemoService;
beforeAll(async () => {
  service = await startDemoService();
});
afterAll(() => service.close());

describe('pages', () => {
  it('hold 100 records unless told otherwise, and name the last as the cursor', async () => {
    const reply = await get(service, DEBTORS, ofFirst);
    expect(idsOf(reply)).toHaveLength(100);
    expect(cursorOf(reply)).toBe(idsOf(reply).at(-1));
  });

  it('together hold every record of the administration once, in order of id', async () => {
    const pages = await walk(service, DEBTORS, { ...ofFirst, per_page: '500' });
    const expected = service.data.debtors.filter((debtor) => debtor.administration_id === '1001');
    expect(pages.flatMap(idsOf)).toEqual(expected.map((debtor) => debtor.id));
    expect(pages.slice(0, -1).map((page) => idsOf(page).length)).toEqual(pages.slice(1).map(() => 500));
  });

  it('say nothing of a next page when there is none, even when the last page is full', async () => {
    const ids = idsOf(await get(service, DEBTORS, { ...ofFirst, per_page: '3' })).join(',');
    const reply = await get(service, DEBTORS, { ...ofFirst, ids, per_page: '3' });
    expect(idsOf(reply)).toHaveLength(3);
    expect(reply.body).not.toHaveProperty('pagination');
  });

  it('also split the answer to a list of ids', async () => {
    const ids = idsOf(await get(service, DEBTORS, { ...ofFirst, per_page: '150' }));
    const reply = await get(service, DEBTORS, { ...ofFirst, ids: ids.join(',') });
    expect(idsOf(reply)).toEqual(ids.slice(0, 100));
    expect(cursorOf(reply)).toBe(ids[99]);
  });

  it('start after any record, also one that the filters leave out', async () => {
    const [first, second, third] = idsOf(await get(service, DEBTORS, ofFirst));
    const parameters = { ...ofFirst, ids: `${first},${third}`, cursor: String(second) };
    expect(idsOf(await get(service, DEBTORS, parameters))).toEqual([third]);
  });

  it.each([
    ['a size of none', { per_page: '0' }],
    ['a size over 500', { per_page: '501' }],
    ['a size that is no integer', { per_page: '10.0' }],
    ['a negative size', { per_page: '-1' }],
    ['no size at all', { per_page: '' }],
    ['a cursor that no record has', { cursor: '999999' }],
    ['an empty cursor', { cursor: '' }],
  ])('refuse %s', async (_, parameters) => {
    const { status, body } = await get(service, DEBTORS, { ...ofFirst, ...parameters });
    expect(status).toBe(400);
    expect(body).toEqual({ code: 'bad_request', message: expect.any(String) });
  });
});

describe('filters', () => {
  it('find debtors by number and by identifier, whatever characters it has', async () => {
    const debtor = service.data.debtors.find((candidate) => candidate.debtor_identifier.includes('&'));
    const { id, debtor_number, debtor_identifier, administration_id } =
      debtor ?? expect.fail('no such debtor');
    const asOwner = bearer(demoCredentials.tokens.companyA);
    const byNumber = { administration_id, debtor_numbers: `nobody,${debtor_number}` };
    const byIdentifier = { administration_id, debtor_identifiers: debtor_identifier };
    expect(idsOf(await get(service, DEBTORS, byNumber, asOwner))).toEqual([id]);
    expect(idsOf(await get(service, DEBTORS, byIdentifier, asOwner))).toEqual([id]);
  });

  it('exclude the very moment that is named', async () => {
    const [line] = service.data.declarationLines.filter(
      (candidate) => candidate.administration_id === '1001',
    );
    const { id, created_at, updated_at } = line ?? expect.fail('no such line');
    const before = new Date(Date.parse(created_at) - 1).toISOString();
    const after = new Date(Date.parse(created_at) + 1).toISOString();
    const find = async (filter: Record<string, string>) =>
      idsOf(await get(service, LINES, { ...ofFirst, ids: id, ...filter }));

    expect(await find({ created_after: before, created_before: after })).toEqual([id]);
    expect(await find({ created_after: created_at })).toEqual([]);
    expect(await find({ created_before: created_at })).toEqual([]);
    expect(await find({ updated_after: updated_at })).toEqual([]);
  });

  it.each(claimStatuses)('find declaration lines with the claim status %s', async (claim_status) => {
    const rows = rowsOf(await get(service, LINES, { ...ofFirst, claim_status }));
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => row.claim_status))).toEqual(new Set([claim_status]));
  });

  it('find declaration lines by order line and by invoice', async () => {
    const [line] = rowsOf(await get(service, LINES, { ...ofFirst, per_page: '1' }));
    const { order_line_identifier, invoice_identifier } = line ?? {};
    const byOrderLine = { ...ofFirst, order_line_identifiers: String(order_line_identifier) };
    expect(rowsOf(await get(service, LINES, byOrderLine))).toEqual([line]);
    const ofInvoice = rowsOf(
      await get(service, LINES, { ...ofFirst, invoice_identifiers: String(invoice_identifier) }),
    );
    expect(ofInvoice.length).toBeGreaterThan(1);
    expect(ofInvoice.every((row) => row.invoice_identifier === invoice_identifier)).toBe(true);
  });

  it.each([
    ['a day without a time', { updated_after: '2025-01-31' }],
    ['another offset than UTC', { updated_after: '2025-01-31T12:00:00+01:00' }],
    ['a day that does not exist', { updated_after: '2025-02-30T12:00:00Z' }],
    ['an empty list', { ids: '' }],
    ['a list with a hole', { ids: '300001,,300004' }],
    ['a parameter of another list', { claim_status: 'draft' }],
    ['a misspelt parameter', { updatedAfter: '2025-01-31T12:00:00Z' }],
  ])('refuse %s', async (_, parameters) => {
    expect((await get(service, DEBTORS, { ...ofFirst, ...parameters })).status).toBe(400);
  });

  it('refuse a claim status that does not exist', async () => {
    expect((await get(service, LINES, { ...ofFirst, claim_status: 'DRAFT' })).status).toBe(400);
  });
});

describe('administrations', () => {
  it.each([DEBTORS, LINES, CASES, PAYMENTS])('have to be named for %s', async (path) => {
    expect((await get(service, path)).status).toBe(400);
  });

  it.each([DEBTORS, LINES, CASES, PAYMENTS])('of another company are forbidden in %s', async (path) => {
    const { status, body } = await get(service, path, { administration_id: '2001' });
    expect([status, body.code]).toEqual([403, 'forbidden']);
  });
});

describe('deleted records', () => {
  it.each([[CASES, 'deletedCreditCases'] as const, [PAYMENTS, 'deletedPayments'] as const])(
    'of %s are shown for 90 days',
    async (path, key) => {
      const all = service.data[key].filter((record) => record.administration_id === '1001');
      const limit = Date.now() - 90 * 86_400_000;
      const kept = all.filter((record) => Date.parse(record.deleted_at) >= limit);
      expect(kept.length).toBeLessThan(all.length);
      expect(rowsOf(await get(service, path, { ...ofFirst, per_page: '500' }))).toEqual(kept.slice(0, 500));
    },
  );

  it('can be narrowed to a period', async () => {
    const deleted_after = new Date(Date.now() - 60 * 86_400_000).toISOString();
    const deleted_before = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const rows = rowsOf(await get(service, CASES, { ...ofFirst, deleted_after, deleted_before }));
    expect(rows.length).toBeGreaterThan(0);
    for (const { deleted_at } of rows) {
      expect([deleted_after, deleted_at, deleted_before].toSorted()[1]).toBe(deleted_at);
    }
  });

  it('take no fields', async () => {
    expect((await get(service, CASES, { ...ofFirst, fields: '{"only":["id"]}' })).status).toBe(400);
  });
});

describe('companies', () => {
  it('are those connected to the calling application', async () => {
    const all = await get(service, '/v1/companies', {}, asApplication);
    expect(rowsOf(all)).toEqual(service.data.companies);
    const own = basic(demoCredentials.clientCredentialsApplication);
    expect(idsOf(await get(service, '/v1/companies', {}, own))).toEqual(['101']);
  });

  it('come in pages too', async () => {
    const reply = await get(service, '/v1/companies', { per_page: '2', cursor: '101' }, asApplication);
    expect(idsOf(reply)).toEqual(['102', '103']);
    expect(reply.body).not.toHaveProperty('pagination');
  });

  it('are of no administration', async () => {
    expect((await get(service, '/v1/companies', ofFirst, asApplication)).status).toBe(400);
  });
});
