import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';
import { asCompanyA, bearer, call, sendForm, sendJson } from './support.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const MESSAGES = '/v1/messages';

let service: DemoService;
beforeAll(async () => {
  service = await startDemoService({ now: () => NOW });
});
afterAll(() => service.close());

describe('unmarking a task as completed', () => {
  const unmark = (id: string, form: Record<string, string> = {}) =>
    sendForm(service, 'PATCH', `/v1/tasks/${id}/unmark_completed`, form);

  function takeTask(administrationId: string, isCompleted: boolean) {
    const task = service.data.tasks.find(
      (candidate) =>
        candidate.administration_id === administrationId && Boolean(candidate.completed_at) === isCompleted,
    );
    return task ?? expect.fail('no such task');
  }

  it('clears the completion and moves the update time', async () => {
    const task = takeTask('1001', true);
    const { status, body } = await unmark(task.id, { administration_id: '1001' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: task.id,
      subject: task.subject,
      completed_at: null,
      completed_status: null,
      completed_status_message: null,
      updated_at: '2026-01-15T12:00:00.000Z',
    });
    expect(task.completed_at).toBeNull();
  });

  it('leaves a task alone that is not completed', async () => {
    const task = takeTask('1001', false);
    const before = task.updated_at;
    expect((await unmark(task.id)).body.updated_at).toBe(before);
  });

  it('finds no task that is not there, and none of another company or administration', async () => {
    expect((await unmark('999999')).status).toBe(404);
    expect((await unmark('..%2Fmessages')).status).toBe(404);
    expect((await unmark(takeTask('2001', true).id)).status).toBe(404);
    expect((await unmark(takeTask('1002', true).id, { administration_id: '1001' })).status).toBe(404);
    expect((await unmark(takeTask('1001', true).id, { administration_id: '2001' })).status).toBe(403);
  });

  it('sends comments only where they are asked for', async () => {
    const task = service.data.tasks.find(({ comments = [] }) => comments.length > 1);
    const { id, comments } = task ?? expect.fail('no such task');
    expect((await unmark(id)).body).not.toHaveProperty('comments');
    const { body } = await unmark(id, { fields: JSON.stringify({ only: [{ comments: ['content'] }] }) });
    expect(body).toEqual({ comments: comments?.map(({ content }) => ({ content })) });
  });

  it('takes a form and nothing else', async () => {
    const { id } = takeTask('1001', true);
    const path = `/v1/tasks/${id}/unmark_completed`;
    const { status, body } = await sendJson(service, 'PATCH', path, { administration_id: '1001' });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    expect((await call(service, path, { method: 'PATCH', headers: asCompanyA })).status).toBe(200);
  });

  it.each([
    ['an unknown field', '', { completed: 'false' }],
    ['bad fields', '', { fields: '{"only":["status"]}' }],
    ['fields in the query', '?fields={"only":["id"]}', {}],
  ])('refuses %s and changes nothing', async (_, query, form) => {
    const task = takeTask('1001', true);
    const path = `/v1/tasks/${task.id}/unmark_completed${query}`;
    expect((await sendForm(service, 'PATCH', path, form)).status).toBe(400);
    expect(task.completed_at).toEqual(expect.any(String));
  });
});

describe('updating messages', () => {
  function takeMessages(administrationId: string, read: boolean) {
    const found = service.data.messages.filter(
      (message) => message.administration_id === administrationId && message.read === read,
    );
    const [first, second] = found;
    return first && second ? [first, second] : expect.fail('no such messages');
  }

  it('sets the flags and counts them', async () => {
    const messages = takeMessages('1001', false);
    const body = { administration_id: '1001', messages: messages.map(({ id }) => ({ id, read: true })) };
    const reply = await sendJson(service, 'PATCH', MESSAGES, body);
    expect([reply.status, reply.body]).toEqual([200, { success: true, count: 2 }]);
    expect(messages.map(({ read }) => read)).toEqual([true, true]);
  });

  it('takes a form as well', async () => {
    const [first, second] = takeMessages('1001', true);
    const reply = await sendForm(service, 'PATCH', MESSAGES, {
      administration_id: '1001',
      'messages[0][id]': String(first?.id),
      'messages[0][read]': 'false',
      'messages[1][id]': String(second?.id),
      'messages[1][read]': 'false',
    });
    expect([reply.status, reply.body]).toEqual([200, { success: true, count: 2 }]);
    expect([first?.read, second?.read]).toEqual([false, false]);
  });

  it('tells per message what failed and what was already so', async () => {
    const [unread, unchanged] = takeMessages('1001', false);
    const [elsewhere] = takeMessages('1002', false);
    const messages = [
      { id: unread?.id, read: true },
      { id: unchanged?.id, read: false },
      { id: elsewhere?.id, read: true },
      { id: '__proto__', read: true },
    ];
    const { body } = await sendJson(service, 'PATCH', MESSAGES, { administration_id: '1001', messages });
    expect(body).toMatchObject({ success: true, count: 2 });
    expect(Object.keys(Object(body.errors))).toEqual([elsewhere?.id, '__proto__']);
    expect(body.warnings).toEqual({ [String(unchanged?.id)]: ['The message was already unread.'] });
    expect(elsewhere?.read).toBe(false);
  });

  it.each([
    { messages: [{ id: '1', read: true }] },
    { administration_id: '1001' },
    { administration_id: '1001', messages: [{ id: '1', read: 'true' }] },
    { administration_id: '1001', messages: [{ id: 1, read: true }] },
    { administration_id: '1001', messages: [{ id: '1', read: true }], fields: '{}' },
    { administration_id: '1001', messages: [{ id: '1', read: true, at: 1 }] },
  ])('refuses %j', async (body) => {
    const reply = await sendJson(service, 'PATCH', MESSAGES, body);
    expect([reply.status, reply.body.code]).toEqual([400, 'bad_request']);
  });

  it('has nothing to do for an empty list', async () => {
    const body = { administration_id: '1001', messages: [] };
    expect((await sendJson(service, 'PATCH', MESSAGES, body)).status).toBe(422);
  });

  it('is forbidden without the permission and in another administration', async () => {
    const messages = [{ id: '500001', read: true }];
    const readOnly = bearer(demoCredentials.tokens.readOnlyDebtors);
    const here = { administration_id: '1001', messages };
    const there = { administration_id: '2001', messages };
    expect((await sendJson(service, 'PATCH', MESSAGES, here, readOnly)).status).toBe(403);
    expect((await sendJson(service, 'PATCH', MESSAGES, there)).status).toBe(403);
  });
});
