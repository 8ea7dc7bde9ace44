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

  it('sends comments only where they are asked for', async () => {
    const task = service.data.tasks.find(({ comments = [] }) => comments.length > 1);
    const { id, comments } = task ?? expect.fail('no such task');
    expect((await unmark(id)).body).not.toHaveProperty('comments');
    const { body } = await unmark(id, { fields: JSON.stringify({ only: [{ comments: ['content'] }] }) });
    expect(body).toEqual({ comments: comments?.map(({ content }) => ({ content })) });
  });

  it('takes a form with known fields and nothing else', async () => {
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
  it('takes a form too, with the members of one message after those of another', async () => {
    const send = (form: string) =>
      call(service, '/v1/messages', {
        ...PATCH,
        body: new URLSearchParams(`administration_id=1001&${form}`),
      });
    const [one, other] = service.data.messages.filter((each) => each.administration_id === '1001');
    if (!one || !other) expect.fail('no such messages');
    const flags = (read: boolean) =>
      [one, other].map(({ id }) => `messages[][id]=${id}&messages[][read]=${read}`);
    for (const read of [true, false]) {
      expect((await send(flags(read).join('&'))).body).toMatchObject({ success: true, count: 2 });
      expect([one.read, other.read]).toEqual([read, read]);
    }
    const faulty = [`messages[][id]=${one.id}`, `messages[][id]=${one.id}&messages[][read]=1`];
    for (const form of [...faulty, 'messages[][read]=true', 'messages=', `${flags(true)[0]}&fields={}`])
      expect([form, (await send(form)).status]).toEqual([form, 400]);
    expect((await send('')).status).toBe(422);
    expect(one.read).toBe(false);
  });

  it.each([
    [{ messages: [{ id: '1', read: true }] }, 400],
    [{ administration_id: '1001' }, 400],
    [{ administration_id: '1001', messages: [{ id: '1', read: 'true' }] }, 400],
    [{ administration_id: '1001', messages: [{ id: 1, read: true }] }, 400],
    [{ administration_id: '1001', messages: [{ id: '1', read: true }], fields: '{}' }, 400],
    [{ administration_id: '1001', messages: [] }, 422],
    [{ administration_id: '2001', messages: [{ id: '500001', read: true }] }, 403],
  ])('refuses %j with %d', async (body, status) => {
    expect((await update(body)).status).toBe(status);
    // It fails without the permission, whatever is sent.
    expect((await update(body, bearer(demoCredentials.tokens.readOnlyDebtors))).status).toBe(403);
  });
});
