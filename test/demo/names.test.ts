import { expect, it, onTestFinished } from 'vitest';
import { type DemoOptions, startDemoService } from '../support/rest-service.mjs';
import { get, rowsOf } from './support.ts';

const LINES = '/v1/health_care/declaration_lines';

async function start(options: DemoOptions) {
  const service = await startDemoService(options);
  onTestFinished(() => service.close());
  return service;
}

it('takes a renamed parameter by its new name only', async () => {
  const service = await start({ parameterNames: { declarationLines: { created_after: 'created_from' } } });
  const moment = '2025-01-31T12:00:00Z';
  const rows = rowsOf(await get(service, LINES, { administration_id: '1001', created_from: moment }));
  expect(rows.every((row) => String(row.created_at) > moment)).toBe(true);
  expect((await get(service, LINES, { administration_id: '1001', created_after: moment })).status).toBe(400);
});

it('answers unfiltered when it ignores a name that it does not know', async () => {
  const service = await start({
    unknownParameters: 'ignore',
    parameterNames: { deletedPayments: { administration_id: 'administration' } },
  });
  const path = '/v1/payments/deleted';
  const seen = rowsOf(await get(service, path, { administration_id: '1001', fields: 'unread' }));
  expect(new Set(seen.map((row) => row.administration_id))).toEqual(new Set(['1001', '1002']));
  const asked = rowsOf(await get(service, path, { administration: '1002' }));
  expect(new Set(asked.map((row) => row.administration_id))).toEqual(new Set(['1002']));
});

it('still insists on the administration of debtors, which the description shows', async () => {
  const service = await start({ unknownParameters: 'ignore' });
  expect((await get(service, '/v1/debtors', { administration: '1001' })).status).toBe(400);
});
