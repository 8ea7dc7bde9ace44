import { describe, expect, test } from 'vitest';
import type { Task } from '../../src/demo/data/records.ts';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { graphql } from '../generated/index.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();
const { rest } = gateway;

const FORM = 'application/x-www-form-urlencoded';
const ownTasks = rest.data.tasks.filter((task) => task.administration_id === ADMINISTRATION);

describe('unmarkTaskCompleted', () => {
  const UnmarkTaskWithDebtor = graphql(`
    mutation UnmarkTaskWithDebtor($taskId: ID!, $administrationId: ID) {
      unmarkTaskCompleted(input: { taskId: $taskId, administrationId: $administrationId }) {
        task { internalId subject completedAt completedStatus debtor { name } }
      }
    }
  `);
  const completed: (task: Task) => boolean = (task) => Boolean(task.completed_at && task.debtor_id);

  test('sends a form, opens the task again, and joins its debtor', async () => {
    const task = present(ownTasks.find(completed));
    const debtor = present(rest.data.debtors.find(({ id }) => id === task.debtor_id));
    const { data, errors } = await gateway.query(UnmarkTaskWithDebtor, {
      taskId: task.id,
      administrationId: ADMINISTRATION,
    });
    expect(errors).toBeUndefined();
    expect(data.unmarkTaskCompleted?.task).toEqual({
      internalId: task.id,
      subject: task.subject,
      completedAt: null,
      completedStatus: null,
      debtor: { name: debtor.name },
    });
    expect(task).toMatchObject({ completed_at: null, completed_status: null });

    const only = ['id', 'administration_id', 'subject', 'completed_at', 'completed_status', 'debtor_id'];
    expect(gateway.calls()).toEqual([
      {
        call: `PATCH /v1/tasks/${task.id}/unmark_completed`,
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
    expect(rest.calls[0]?.headers['content-type']).toBe(FORM);
  });

  test('leaves the administration out of the form when the caller does', async () => {
    const task = present(ownTasks.find(completed));
    const { errors } = await gateway.query(UnmarkTaskWithDebtor, { taskId: task.id });
    expect(errors).toBeUndefined();
    expect(gateway.calls()[0]?.body).toEqual({ fields: expect.any(String) });
  });

  test('gives the fields that have to be asked for', async () => {
    const task = present(
      ownTasks.find(({ comments = [], assigned_to_user }) => comments.length && assigned_to_user),
    );
    const { data } = await gateway.query(
      `mutation ($id: ID!) { unmarkTaskCompleted(input: { taskId: $id }) {
        task {
          comments { id internalId content createdAt }
          assignedToUser { id internalId name emailAddress }
          expiryDate
        }
      } }`,
      { id: task.id },
    );
    const { id: internalId, name, email_address } = present(task.assigned_to_user);
    const globalIdOf = (type: string, id: string) =>
      encodeGlobalId({ type, administration: ADMINISTRATION, id });
    expect(data).toEqual({
      unmarkTaskCompleted: {
        task: {
          comments: task.comments?.map(({ id, content, created_at }) => ({
            id: globalIdOf('TaskComment', id),
            internalId: id,
            content,
            createdAt: created_at,
          })),
          assignedToUser: {
            id: globalIdOf('TaskUser', internalId),
            internalId,
            name,
            emailAddress: email_address,
          },
          expiryDate: task.expiry_date ?? null,
        },
      },
    });
  });

  test('gives its user and comments global ids that name the administration, whoever told it', async () => {
    const { id: taskId } = present(ownTasks[0]);
    const document = `mutation ($input: UnmarkTaskCompletedInput!) { unmarkTaskCompleted(input: $input) {
      task { id administrationId assignedToUser { id } comments { id } }
    } }`;
    const expected = (administration: string) => ({
      unmarkTaskCompleted: {
        task: {
          id: encodeGlobalId({ type: 'Task', administration, id: taskId }),
          administrationId: administration || null,
          assignedToUser: { id: encodeGlobalId({ type: 'TaskUser', administration, id: '7' }) },
          comments: [{ id: encodeGlobalId({ type: 'TaskComment', administration, id: '7' }) }],
        },
      },
    });
    const answered = { id: taskId, assigned_to_user: { id: '7' }, comments: [{ id: '7' }] };
    for (const [input, body, administration] of [
      [{ taskId, administrationId: ADMINISTRATION }, answered, ADMINISTRATION],
      [{ taskId }, { ...answered, administration_id: ADMINISTRATION }, ADMINISTRATION],
      [{ taskId }, answered, ''],
    ] as const) {
      rest.misbehave({ kind: 'body', body: JSON.stringify(body) });
      const { data, errors } = await gateway.query(document, { input });
      expect(errors).toBeUndefined();
      expect(data).toEqual(expected(administration));
    }
  });

  test.each<[string, object, string[]]>([
    ['a user without an id', { assigned_to_user: {} }, ['assignedToUser', 'id']],
    ['a user whose id is a number', { assigned_to_user: { id: 7 } }, ['assignedToUser', 'id']],
    ['a user whose id is empty', { assigned_to_user: { id: '' } }, ['assignedToUser', 'id']],
    ['a user that is text', { assigned_to_user: 'Ada' }, ['assignedToUser']],
    ['comments that are no list', { comments: { id: '7' } }, ['comments']],
    ['an administration that is a number', { administration_id: 1001 }, ['id']],
  ])('makes no id of %s', async (_, members, path) => {
    const { id: taskId } = present(ownTasks[0]);
    rest.misbehave({ kind: 'body', body: JSON.stringify({ id: taskId, ...members }) });
    const [field = ''] = path;
    const selection = field === 'id' ? 'id' : `${field} { id }`;
    const answer = await gateway.query(
      `mutation ($id: ID!) { unmarkTaskCompleted(input: { taskId: $id }) { task { subject ${selection} } } }`,
      { id: taskId },
    );
    expect(answer.errors).toMatchObject([
      { path: ['unmarkTaskCompleted', 'task', ...path], extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } },
    ]);
  });

  test.each([
    ['a task that is not there', { taskId: '1' }, 'NOT_FOUND'],
    [
      'a task of another administration',
      { taskId: ownTasks[0]?.id ?? '', administrationId: '1002' },
      'NOT_FOUND',
    ],
    ['an administration that the caller may not see', { taskId: '1', administrationId: '2001' }, 'FORBIDDEN'],
  ])('says so of %s, after one call', async (_, variables, code) => {
    const answer = await gateway.query(UnmarkTaskWithDebtor, variables);
    expect(answer.errors).toMatchObject([
      { path: ['unmarkTaskCompleted'], extensions: { code, upstream: { method: 'PATCH' } } },
    ]);
    expect(gateway.calls()).toHaveLength(1);
  });

  test.each([
    ['no task', {}],
    ['no object', []],
    ['a task of another administration', { id: '1', administration_id: '1002' }],
    ['a task whose administration is a number', { id: '1', administration_id: 1001 }],
    ['another task', { id: '2', administration_id: ADMINISTRATION }],
    ['a task whose id is a number', { id: 1, administration_id: ADMINISTRATION }],
  ])('passes on nothing where REST answers with %s', async (_, body) => {
    rest.misbehave({ kind: 'body', body: JSON.stringify(body) });
    const answer = await gateway.query(UnmarkTaskWithDebtor, {
      taskId: '1',
      administrationId: ADMINISTRATION,
    });
    expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(answer.data).toEqual({ unmarkTaskCompleted: null });
    expect(gateway.calls()).toHaveLength(1);
  });

  test('that fails keeps no later one from being made and told of', async () => {
    const [task] = ownTasks;
    const unmark = (id?: string) => `unmarkTaskCompleted(input: { taskId: "${id}" }) { task { internalId } }`;
    const answer = await gateway.query(`mutation { a: ${unmark('0')} b: ${unmark(task?.id)} }`);
    expect(codesOf(answer)).toEqual(['NOT_FOUND']);
    expect(answer.data).toEqual({ a: null, b: { task: { internalId: task?.id } } });
  });

  test('runs one after another, each with all that is asked of it, in the order in which they are written', async () => {
    const [a, b] = ownTasks.filter(({ debtor_id }) => debtor_id).slice(0, 2);
    const unmark = (id?: string) =>
      `unmarkTaskCompleted(input: { taskId: "${id}" }) { task { debtor { name } } }`;
    await gateway.query(`mutation { b: ${unmark(b?.id)} a: ${unmark(a?.id)} }`);
    expect(gateway.calls().map(({ call }) => call)).toEqual([
      `PATCH /v1/tasks/${b?.id}/unmark_completed`,
      'GET /v1/debtors',
      `PATCH /v1/tasks/${a?.id}/unmark_completed`,
      'GET /v1/debtors',
    ]);
  });
});

describe('updateMessages', () => {
  const document = `mutation ($input: UpdateMessagesInput!) {
    updateMessages(input: $input) { success count errors { recordId messages } warnings { recordId messages } }
  }`;

  test('sends JSON, and tells what became of each message', async () => {
    const own = rest.data.messages.filter((message) => message.administration_id === ADMINISTRATION);
    const unread = present(own.find(({ read }) => !read));
    const read = present(own.find((message) => message.read));
    const messages = [
      { id: unread.id, read: true },
      { id: read.id, read: true },
      { id: 'nobody', read: false },
    ];
    const { data } = await gateway.query(document, { input: { administrationId: ADMINISTRATION, messages } });
    expect(data).toEqual({
      updateMessages: {
        success: true,
        count: 2,
        errors: [{ recordId: 'nobody', messages: [expect.any(String)] }],
        warnings: [{ recordId: read.id, messages: [expect.any(String)] }],
      },
    });
    expect(unread.read).toBe(true);
    expect(gateway.calls()).toEqual([
      { call: 'PATCH /v1/messages', body: { administration_id: ADMINISTRATION, messages } },
    ]);
    expect(rest.calls[0]).toMatchObject({
      headers: { 'content-type': 'application/json' },
      url: '/v1/messages',
    });
  });

  test('gives every message that REST has for a record', async () => {
    const body = {
      success: false,
      count: 0,
      errors: { '2': ['a', 'b'], x: ['c'] },
      warnings: { __proto: [] },
    };
    rest.misbehave({ kind: 'body', body: JSON.stringify(body) });
    const input = { administrationId: ADMINISTRATION, messages: [{ id: '2', read: true }] };
    const { data } = await gateway.query(document, { input });
    expect(data).toEqual({
      updateMessages: {
        success: false,
        count: 0,
        errors: [
          { recordId: '2', messages: ['a', 'b'] },
          { recordId: 'x', messages: ['c'] },
        ],
        warnings: [{ recordId: '__proto', messages: [] }],
      },
    });
  });

  test.each([
    ['no messages', []],
    ['an empty id', [{ id: '', read: true }]],
  ])('is refused before a call with %s', async (_, messages) => {
    expectRefused(
      gateway,
      await gateway.query(document, { input: { administrationId: ADMINISTRATION, messages } }),
    );
  });

  describe('after a result that is malformed', () => {
    const GOOD = { success: true, count: 1, errors: {}, warnings: {} };
    const record = (recordId: string, ...messages: string[]) => ({ recordId, messages });
    const run = (body: string, selection: string) => {
      rest.misbehave({ kind: 'body', body });
      return gateway.query(
        `mutation { updateMessages(input: { administrationId: "${ADMINISTRATION}", messages: { id: "2", read: true } })
          { ${selection} } }`,
      );
    };

    test.each<[string, unknown, unknown[], boolean]>([
      ['an array', ['boom'], [], false],
      ['text', 'boom', [], false],
      ['a number', 5, [], false],
      ['a boolean', false, [], false],
      ['null', null, [], true],
      ['absent', undefined, [], true],
      ['an empty map', {}, [], true],
      ['a map to text', { 2: 'boom' }, [record('2', 'boom')], true],
      ['a map to a number', { 2: 5 }, [record('2')], false],
      ['a map to null', { 2: null }, [record('2')], false],
      ['a map to a map', { 2: { a: 'boom' } }, [record('2')], false],
      ['a map to a list of which some is no text', { 2: ['a', 5, null, {}] }, [record('2', 'a')], false],
      ['a map of which one is sound', { 2: 5, 3: ['b'] }, [record('2'), record('3', 'b')], false],
      ['a map with a list in a list', { 2: [['a']] }, [record('2')], false],
    ])('gives what can be read where `errors` or `warnings` is %s', async (_, map, readable, isSound) => {
      for (const member of ['errors', 'warnings']) {
        const body = JSON.stringify({ ...GOOD, [member]: map });
        const { data, errors = [] } = await run(body, `success count ${member} { recordId messages }`);
        expect(data).toEqual({ updateMessages: { success: true, count: 1, [member]: readable } });
        expect(errors.map(({ path, extensions: { code } }) => [path, code])).toEqual(
          isSound ? [] : [[['updateMessages', member], 'UPSTREAM_INVALID_RESPONSE']],
        );
      }
    });

    test('gives a record whose id is `__proto__`', async () => {
      const body = '{"success":true,"count":0,"errors":{"__proto__":["a"],"constructor":["b"]}}';
      const { data, errors } = await run(body, 'errors { recordId messages }');
      expect(data).toEqual({
        updateMessages: { errors: [record('__proto__', 'a'), record('constructor', 'b')] },
      });
      expect(errors).toBeUndefined();
    });

    test.each<[string, unknown]>([
      ['success', undefined],
      ['success', null],
      ['success', 'yes'],
      ['success', 1],
      ['count', undefined],
      ['count', null],
      ['count', '1'],
      ['count', 1.5],
      ['count', -1],
      ['count', 2 ** 31],
    ])('fails for `%s` as %j alone, where it is asked for', async (member, value) => {
      const body = JSON.stringify({ ...GOOD, errors: { 2: ['a'] }, [member]: value });
      const other = member === 'success' ? 'count' : 'success';
      const without = await run(body, `${other} errors { recordId messages }`);
      expect(without.errors).toBeUndefined();
      expect(without.data).toMatchObject({ updateMessages: { errors: [record('2', 'a')] } });
      const failed = await run(body, 'success count errors { recordId }');
      expect(failed.data).toEqual({ updateMessages: null });
      expect(failed.errors).toMatchObject([
        { path: ['updateMessages', member], extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } },
      ]);
    });
  });

  test.each([{}, { success: true }, { success: 'yes', count: 1 }, []])(
    'does not take %j for an answer',
    async (body) => {
      rest.misbehave({ kind: 'body', body: JSON.stringify(body) });
      const input = { administrationId: ADMINISTRATION, messages: [{ id: '2', read: true }] };
      expect(codesOf(await gateway.query(document, { input }))).toEqual(['UPSTREAM_INVALID_RESPONSE']);
      expect(gateway.calls()).toHaveLength(1);
    },
  );
});
