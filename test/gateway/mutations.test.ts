import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { globalId } from '../support/ids.ts';
import { present } from '../support/present.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();
const { rest } = gateway;
const INVALID = 'UPSTREAM_INVALID_RESPONSE';

describe('unmarkTaskCompleted', () => {
  const tasks = rest.data.tasks.filter((task) => task.administration_id === ADMINISTRATION);
  const completed = present(tasks.find((task) => task.completed_at && task.debtor_id));
  const unmark = (
    { taskId, administrationId }: { taskId: string; administrationId?: string },
    selection = 'internalId subject completedAt completedStatus debtor { name }',
  ) =>
    gateway.query(
      `mutation ($taskId: ID!, $administrationId: ID) {
        unmarkTaskCompleted(input: { taskId: $taskId, administrationId: $administrationId }) { task { ${selection} } }
      }`,
      { taskId, administrationId },
    );

  test('sends a form, reopens the task, and joins its debtor', async () => {
    const debtor = present(rest.data.debtors.find(({ id }) => id === completed.debtor_id));
    const { data } = await unmark({ taskId: completed.id, administrationId: ADMINISTRATION });
    expect(data).toEqual({
      unmarkTaskCompleted: {
        task: {
          internalId: completed.id,
          subject: completed.subject,
          completedAt: null,
          completedStatus: null,
          debtor: { name: debtor.name },
        },
      },
    });
    expect(completed).toMatchObject({ completed_at: null, completed_status: null });
    const only = ['id', 'administration_id', 'subject', 'completed_at', 'completed_status', 'debtor_id'];
    expect(gateway.calls()).toEqual([
      {
        call: `PATCH /v1/tasks/${completed.id}/unmark_completed`,
        only,
        body: { administration_id: ADMINISTRATION, fields: JSON.stringify({ only }) },
      },
      {
        call: 'GET /v1/debtors',
        administration_id: ADMINISTRATION,
        ids: debtor.id,
        per_page: '1',
        only: ['id', 'administration_id', 'name'],
      },
    ]);
    expect(rest.calls[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  const answered = { id: '1', assigned_to_user: { id: '7' }, comments: [{ id: '7', content: 'Called' }] };
  test.each([
    ['the caller', { taskId: '1', administrationId: ADMINISTRATION }, answered, ADMINISTRATION],
    ['the service', { taskId: '1' }, { ...answered, administration_id: ADMINISTRATION }, ADMINISTRATION],
    ['nobody', { taskId: '1' }, answered, ''],
  ])('returns global ids of the administration that %s named', async (_who, input, body, administration) => {
    rest.misbehave({ kind: 'body', body: JSON.stringify(body) });
    const { data } = await unmark(input, 'id administrationId assignedToUser { id } comments { id content }');
    expect(data).toEqual({
      unmarkTaskCompleted: {
        task: {
          id: globalId('Task', '1', administration),
          administrationId: administration || null,
          assignedToUser: { id: globalId('TaskUser', '7', administration) },
          comments: [{ id: globalId('TaskComment', '7', administration), content: 'Called' }],
        },
      },
    });
  });

  test.each([
    ['a task that is not there', { taskId: '1' }, 'NOT_FOUND'],
    ['a task of another administration', { taskId: completed.id, administrationId: '1002' }, 'NOT_FOUND'],
    ['an administration that the caller may not see', { taskId: '1', administrationId: '2001' }, 'FORBIDDEN'],
  ])('reports %s after one call', async (_, input, code) => {
    expect((await unmark(input)).errors).toMatchObject([
      { path: ['unmarkTaskCompleted'], extensions: { code, upstream: { method: 'PATCH' } } },
    ]);
    expect(gateway.calls()).toHaveLength(1);
  });

  test.each([
    ['no task', {}],
    ['something other than an object', []],
    ['a task of another administration', { id: '1', administration_id: '1002' }],
    ['another task', { id: '2', administration_id: ADMINISTRATION }],
  ])('returns no task if REST responds with %s', async (_, body) => {
    rest.misbehave({ kind: 'body', body: JSON.stringify(body) });
    const answer = await unmark({ taskId: '1', administrationId: ADMINISTRATION });
    expect([answer.data, codesOf(answer)]).toEqual([{ unmarkTaskCompleted: null }, [INVALID]]);
    expect(gateway.calls()).toHaveLength(1);
  });

  test('runs writes one after another in the order of the document, also after one that fails', async () => {
    const [a, b] = tasks.filter(({ debtor_id }) => debtor_id).map(({ id }) => id);
    const field = (id?: string) =>
      `unmarkTaskCompleted(input: { taskId: "${id}" }) { task { debtor { name } } }`;
    const answer = await gateway.query(`mutation { b: ${field(b)} none: ${field('0')} a: ${field(a)} }`);
    expect(codesOf(answer)).toEqual(['NOT_FOUND']);
    const done = { task: { debtor: { name: expect.any(String) } } };
    expect(answer.data).toEqual({ b: done, none: null, a: done });
    expect(gateway.calls().map(({ call }) => call)).toEqual([
      `PATCH /v1/tasks/${b}/unmark_completed`,
      'GET /v1/debtors',
      'PATCH /v1/tasks/0/unmark_completed',
      `PATCH /v1/tasks/${a}/unmark_completed`,
      'GET /v1/debtors',
    ]);
  });
});

describe('updateMessages', () => {
  const ALL = 'success count errors { recordId messages } warnings { recordId messages }';
  const update = (messages: readonly object[] = [{ id: '2', read: true }], selection = ALL) =>
    gateway.query(
      `mutation ($input: UpdateMessagesInput!) { updateMessages(input: $input) { ${selection} } }`,
      { input: { administrationId: ADMINISTRATION, messages } },
    );
  const answeredWith = (body: unknown, selection?: string) => {
    rest.misbehave({ kind: 'body', body: typeof body === 'string' ? body : JSON.stringify(body) });
    return update(undefined, selection);
  };
  const GOOD = { success: true, count: 1, errors: {}, warnings: {} };
  const record = (recordId: string, ...messages: string[]) => ({ recordId, messages });

  test('sends JSON, and returns the outcome of each message', async () => {
    const own = rest.data.messages.filter((message) => message.administration_id === ADMINISTRATION);
    const unread = present(own.find(({ read }) => !read));
    const read = present(own.find((message) => message.read));
    const messages = [unread.id, read.id, 'nobody'].map((id) => ({ id, read: true }));
    const { data } = await update(messages);
    expect(data).toEqual({
      updateMessages: {
        success: true,
        count: 2,
        errors: [record('nobody', expect.any(String))],
        warnings: [record(read.id, expect.any(String))],
      },
    });
    expect(unread.read).toBe(true);
    expect(gateway.calls()).toEqual([
      { call: 'PATCH /v1/messages', body: { administration_id: ADMINISTRATION, messages } },
    ]);
    expect(rest.calls[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  test('is no error if the service calls the batch unsuccessful', async () => {
    const { data, errors } = await answeredWith({ ...GOOD, success: false, count: 0 });
    expect([data, errors]).toMatchObject([{ updateMessages: { success: false, count: 0 } }, undefined]);
  });

  test.each([[[]], [[{ id: '', read: true }]]])('is rejected before a call with %j', async (messages) => {
    expectRefused(gateway, await update(messages));
  });

  test.each<[string, object[], boolean]>([
    ['["boom"]', [], false],
    ['null', [], true],
    ['{ "2": ["a", "b"], "x": ["c"] }', [record('2', 'a', 'b'), record('x', 'c')], true],
    ['{ "2": "boom" }', [record('2', 'boom')], true],
    ['{ "2": ["a", 5, null, {}, ["b"]] }', [record('2', 'a')], false],
    ['{ "__proto__": ["a"] }', [record('__proto__', 'a')], true],
  ])('returns the valid part of `errors` and `warnings` that are %s', async (map, readable, isSound) => {
    for (const member of ['errors', 'warnings']) {
      const body = JSON.stringify({ ...GOOD, [member]: 0 }).replace(`"${member}":0`, `"${member}":${map}`);
      const { data, errors = [] } = await answeredWith(body, `success count ${member} { recordId messages }`);
      expect(data).toEqual({ updateMessages: { success: true, count: 1, [member]: readable } });
      const failed = { path: ['updateMessages', member], extensions: { code: INVALID } };
      expect(errors).toMatchObject(isSound ? [] : [failed]);
    }
  });

  test.each<[string, unknown]>([
    ['success', 'yes'],
    ['count', undefined],
    ['count', '1'],
    ['count', 2 ** 31],
  ])('fails if `%s` is %j and selected', async (member, value) => {
    const body = { ...GOOD, errors: { 2: ['a'] }, [member]: value };
    const other = member === 'success' ? 'count' : 'success';
    const without = await answeredWith(body, `${other} errors { recordId messages }`);
    expect(without.errors).toBeUndefined();
    expect(without.data).toMatchObject({ updateMessages: { errors: [record('2', 'a')] } });
    const failed = await answeredWith(body, 'success count errors { recordId }');
    expect(failed.data).toEqual({ updateMessages: null });
    expect(failed.errors).toMatchObject([
      { path: ['updateMessages', member], extensions: { code: INVALID } },
    ]);
  });
});
