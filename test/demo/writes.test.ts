import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';
import { asCompanyA, bearer, call, sendJson } from './support.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const PATCH = { method: 'PATCH', headers: asCompanyA };
const update = (body: unknown, headers = asCompanyA) =>
  sendJson(service, 'PATCH /v1/messages', body, headers);

let service: DemoService;
beforeAll(async () => {
  service = await startDemoService({ now: () => NOW });
});
afterAll(() => service.close());

describe('unmarking a task as completed', () => {
  const pathOf = (id: string) => `/v1/tasks/${id}/unmark_completed`;
  const unmark = (id: string, form: Record<string, string> = {}, query = '') =>
    call(service, pathOf(id) + query, { ...PATCH, body: new URLSearchParams(form) });
  const takeTask = (administrationId: string, isCompleted = true) =>
    service.data.tasks.find(
      ({ administration_id, completed_at }) =>
        administration_id === administrationId && Boolean(completed_at) === isCompleted,
    ) ?? expect.fail('no such task');

  it('accepts a form with only known fields', async () => {
    const task = takeTask('1001');
    expect((await sendJson(service, `PATCH ${pathOf(task.id)}`, {})).status).toBe(415);
    expect((await unmark(task.id, { completed: 'false' })).status).toBe(400);
    expect((await unmark(task.id, { fields: '{"only":["status"]}' })).status).toBe(400);
    expect((await unmark(task.id, {}, '?fields={}')).status).toBe(400);
    expect(task.completed_at).toEqual(expect.any(String));
    expect((await call(service, pathOf(task.id), PATCH)).status).toBe(200);
  });
});

describe('updating messages', () => {
  it.each([
    [{ messages: [{ id: '1', read: true }] }, 400],
    [{ administration_id: '1001' }, 400],
    [{ administration_id: '1001', messages: [{ id: '1', read: 'true' }] }, 400],
    [{ administration_id: '1001', messages: [{ id: 1, read: true }] }, 400],
    [{ administration_id: '1001', messages: [{ id: '1', read: true }], fields: '{}' }, 400],
    [{ administration_id: '1001', messages: [] }, 422],
    [{ administration_id: '2001', messages: [{ id: '500001', read: true }] }, 403],
  ])('rejects %j with %d', async (body, status) => {
    expect((await update(body)).status).toBe(status);
    // It fails without the permission, whatever is sent.
    expect((await update(body, bearer(demoCredentials.tokens.readOnlyDebtors))).status).toBe(403);
  });
});
