import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { debtorShape } from '../../src/demo/data/records.ts';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';
import { asApplication, get, rowsOf, sendForm } from './support.ts';

let service: DemoService;
beforeAll(async () => {
  service = await startDemoService();
});
afterAll(() => service.close());

const ofFirst = { administration_id: '1001', per_page: '200' };
const select = (...only: unknown[]) => ({ ...ofFirst, fields: JSON.stringify({ only }) });
const debtorRows = async (parameters: Record<string, string>) =>
  rowsOf(await get(service, '/v1/debtors', parameters));
const namesIn = (rows: object[]) => new Set(rows.flatMap((row) => Object.keys(row)));

describe('without fields', () => {
  it('what has to be asked for is left out, and all else is there', async () => {
    const usual = Object.entries(debtorShape).filter(([, field]) => !field.onDemand);
    expect(namesIn(await debtorRows(ofFirst))).toEqual(new Set(usual.map(([name]) => name)));
  });

  it('the required fields are in every row', async () => {
    for (const row of await debtorRows(ofFirst)) {
      for (const name of [
        'debtor_number',
        'name',
        'debtor_identifier',
        'administration_id',
        'id',
        'updated_at',
      ]) {
        expect(row[name]).toEqual(expect.any(String));
      }
      expect(row.postal_address).toMatchObject({
        city: expect.any(String),
        country_code: expect.any(String),
      });
    }
  });

  it('comments of a task are left out', async () => {
    const [task] = service.data.tasks.filter((candidate) => candidate.administration_id === '1001');
    const { body } = await sendForm(service, 'PATCH', `/v1/tasks/${task?.id}/unmark_completed`, {});
    expect(body.id).toBe(task?.id);
    expect(body).not.toHaveProperty('comments');
  });
});

describe('with fields', () => {
  it('exactly those named appear, those on demand included', async () => {
    const rows = await debtorRows(select('id', 'book_open_amount', 'labels'));
    expect(namesIn(rows)).toEqual(new Set(['id', 'book_open_amount', 'labels']));
    expect(rows[0]).toEqual({
      id: service.data.debtors[0]?.id,
      book_open_amount: service.data.debtors[0]?.book_open_amount,
      labels: service.data.debtors[0]?.labels,
    });
  });

  it('objects and lists of objects can be narrowed', async () => {
    const rows = await debtorRows(select({ postal_address: ['city'] }, { labels: ['name'] }));
    const [debtor] = service.data.debtors;
    expect(rows[0]).toEqual({
      postal_address: { city: debtor?.postal_address.city },
      labels: debtor?.labels,
    });
  });

  it('a row may turn out empty', async () => {
    expect(await debtorRows(select('remark'))).toContainEqual({});
  });

  it('companies, declaration lines and tasks are narrowed as well', async () => {
    const fields = JSON.stringify({ only: ['id'] });
    expect(namesIn(rowsOf(await get(service, '/v1/companies', { fields }, asApplication)))).toEqual(
      new Set(['id']),
    );
    const path = '/v1/health_care/declaration_lines';
    const lines = rowsOf(await get(service, path, select('amount', { customer: ['email_address'] })));
    expect(namesIn(lines)).toEqual(new Set(['amount', 'customer']));
    const task = service.data.tasks.find((candidate) => (candidate.comments?.length ?? 0) > 1);
    const { id, administration_id, comments } = task ?? expect.fail('no such task');
    expect(administration_id).not.toBe('2001');
    const form = { fields: JSON.stringify({ only: [{ comments: ['content'] }] }) };
    const { body } = await sendForm(service, 'PATCH', `/v1/tasks/${id}/unmark_completed`, form);
    expect(body).toEqual({ comments: comments?.map(({ content }) => ({ content })) });
  });

  it.each([
    ['text that is not JSON', 'id,name'],
    ['a list', '["id"]'],
    ['an object without only', '{}'],
    ['another key than only', '{"only":["id"],"except":["name"]}'],
    ['an empty list', '{"only":[]}'],
    ['a name in place of the list', '{"only":"id"}'],
    ['an unknown name', '{"only":["id","nickname"]}'],
    ['a name that every object inherits', '{"only":["constructor"]}'],
    ['a camelCase name', '{"only":["debtorNumber"]}'],
    ['a name twice', '{"only":["id","id"]}'],
    ['a name both whole and narrowed', '{"only":["postal_address",{"postal_address":["city"]}]}'],
    ['nested names on a scalar', '{"only":[{"name":["first"]}]}'],
    ['no nested names', '{"only":[{"postal_address":[]}]}'],
    ['nested names that are no list', '{"only":[{"postal_address":"city"}]}'],
    ['an unknown nested name', '{"only":[{"postal_address":["town"]}]}'],
    ['a nested name twice', '{"only":[{"postal_address":["city","city"]}]}'],
    ['an object with two keys', '{"only":[{"postal_address":["city"],"labels":["name"]}]}'],
    ['an object with no key', '{"only":[{}]}'],
    ['a number', '{"only":[1]}'],
  ])('%s is refused', async (_, fields) => {
    const { status, body } = await get(service, '/v1/debtors', { ...ofFirst, fields });
    expect([status, body.code]).toEqual([400, 'bad_request']);
  });
});
