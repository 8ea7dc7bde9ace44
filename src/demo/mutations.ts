import { mayAccess, requireAdministration, requireToken } from './access.ts';
import { taskShape } from './data/records.ts';
import { project, readSelection } from './fields.ts';
import { badRequestError, isJsonObject, notFound, unprocessable } from './http.ts';
import { isForm, readForm, readRequestBody, rejectUnknown } from './parameters.ts';
import type { Endpoint } from './world.ts';

/** Sets read flags; an error for one message is reported in the response and does not affect the others. */
export const updateMessagesEndpoint: Endpoint = {
  method: 'PATCH',
  path: '/v1/messages',
  handle(request, world) {
    const token = requireToken(request, world, 'messages:write');
    const body = readRequestBody(request);
    const { administration_id, messages, ...others } = isForm(request) ? unflatten(body) : body;
    rejectUnknown(Object.keys(others), []);
    if (typeof administration_id !== 'string') throw badRequestError('administration_id must be a string.');
    const updates = readUpdates(messages);
    requireAdministration(token, administration_id, world);

    const errors = new Map<string, string[]>();
    const warnings = new Map<string, string[]>();
    let count = 0;
    for (const { id, read } of updates) {
      const message = world.data.messages.find((candidate) => candidate.id === id);
      if (message?.administration_id !== administration_id) {
        append(errors, id, `There is no such message in administration ${administration_id}.`);
        continue;
      }
      if (message.read === read) append(warnings, id, `The message was already ${read ? 'read' : 'unread'}.`);
      message.read = read;
      count += 1;
    }
    return {
      success: true,
      count,
      ...(errors.size > 0 && { errors: Object.fromEntries(errors) }),
      ...(warnings.size > 0 && { warnings: Object.fromEntries(warnings) }),
    };
  },
};

function readUpdates(messages: unknown): { id: string; read: boolean }[] {
  if (!Array.isArray(messages)) throw badRequestError('messages must be a list.');
  if (messages.length === 0) throw unprocessable('messages is empty: there is nothing to update.');
  return messages.map((item: unknown) => {
    if (!isJsonObject(item)) throw badRequestError('Each of the messages must be an object.');
    const { id, read, ...others } = item;
    rejectUnknown(Object.keys(others), []);
    if (typeof id !== 'string' || typeof read !== 'boolean') {
      throw badRequestError('Each of the messages needs an id (a string) and read (a boolean).');
    }
    return { id, read };
  });
}

/** Converts the form names `messages[0][id]` and `messages[0][read]` to the structure of the JSON body. */
function unflatten(form: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const messages: Record<string, unknown>[] = [];
  const others: [string, unknown][] = [];
  for (const [name, value] of Object.entries(form)) {
    const [, index, key] = /^messages\[(0|[1-9]\d{0,5})\]\[(\w+)\]$/.exec(name) ?? [];
    if (index === undefined || key === undefined) {
      others.push([name, value]);
      continue;
    }
    const position = Number(index);
    if (position > messages.length) throw badRequestError(`messages[${messages.length}] is missing.`);
    const isFlag = key === 'read' && (value === 'true' || value === 'false');
    messages[position] = { ...messages[position], [key]: isFlag ? value === 'true' : value };
  }
  return { messages, ...Object.fromEntries(others) };
}

function append(map: Map<string, string[]>, id: string, text: string): void {
  map.set(id, [...(map.get(id) ?? []), text]);
}

/** Marks a task as not completed; a task that is not completed is unchanged. */
export const unmarkCompletedEndpoint: Endpoint = {
  method: 'PATCH',
  path: '/v1/tasks/{id}/unmark_completed',
  handle(request, world, taskId) {
    const token = requireToken(request, world, 'tasks:write');
    const form = readForm(request);
    rejectUnknown(form.keys(), ['administration_id', 'fields']);
    const selection = readSelection(form.get('fields'), taskShape);
    const administrationId = form.get('administration_id');
    if (administrationId !== undefined) requireAdministration(token, administrationId, world);

    const task = world.data.tasks.find(({ id }) => id === taskId);
    const isReachable =
      task &&
      mayAccess(token, task.administration_id, world) &&
      (administrationId ?? task.administration_id) === task.administration_id;
    if (!isReachable) throw notFound(`There is no task ${taskId}.`);

    if (task.completed_at) {
      task.completed_at = null;
      task.completed_status = null;
      task.completed_status_message = null;
      task.updated_at = new Date(world.now()).toISOString();
    }
    return project(task, selection);
  },
};
