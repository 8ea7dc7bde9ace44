import { mayAccess, requireAdministration, requireToken } from './access.ts';
import { taskShape } from './data/records.ts';
import { project, readSelection } from './fields.ts';
import * as http from './http.ts';
import type { Handler } from './service-state.ts';

/** Sets read flags. An error for one message does not affect the others. */
export const updateMessages: Handler = (request, state) => {
  const token = requireToken(request, state, 'messages:write');
  const { administration_id, messages, ...extra } = http.readRequestBody(request);
  http.rejectUnknown(extra);
  if (typeof administration_id !== 'string')
    throw http.badRequestError('administration_id must be a string.');
  const updates = readUpdates(messages);
  requireAdministration(token, administration_id, state);

  const errors: [id: string, messages: string[]][] = [];
  const warnings: typeof errors = [];
  for (const { id, read } of updates) {
    const message = state.data.messages.find((candidate) => candidate.id === id);
    if (message?.administration_id !== administration_id) {
      errors.push([id, [`There is no such message in administration ${administration_id}.`]]);
      continue;
    }
    if (message.read === read) warnings.push([id, [`The message was already ${read ? 'read' : 'unread'}.`]]);
    message.read = read;
  }
  return {
    success: true,
    count: updates.length - errors.length,
    ...(errors.length > 0 && { errors: Object.fromEntries(errors) }),
    ...(warnings.length > 0 && { warnings: Object.fromEntries(warnings) }),
  };
};

function readUpdates(messages: unknown): { id: string; read: boolean }[] {
  if (!Array.isArray(messages)) throw http.badRequestError('messages must be a list.');
  if (messages.length === 0)
    throw new http.HttpError(422, 'unprocessable', 'There are no messages to update.');
  return messages.map((item: unknown) => {
    const { id, read, ...extra } = http.isJsonObject(item) ? item : {};
    http.rejectUnknown(extra);
    if (typeof id === 'string' && typeof read === 'boolean') return { id, read };
    throw http.badRequestError('Each of the messages needs an id (a string) and read (a boolean).');
  });
}

/** Marks a task as not completed. */
export const unmarkCompleted: Handler = (request, state, taskId) => {
  const token = requireToken(request, state, 'tasks:write');
  const { administration_id, fields, ...extra } = http.readForm(request);
  http.rejectUnknown(extra);
  const selection = readSelection(fields, taskShape);
  if (administration_id !== undefined) requireAdministration(token, administration_id, state);

  const task = state.data.tasks.find(({ id }) => id === taskId);
  const isReachable = task && mayAccess(token, task.administration_id, state);
  if (!isReachable || (administration_id ?? task.administration_id) !== task.administration_id)
    throw new http.HttpError(404, 'not_found', `There is no task ${taskId}.`);
  if (task.completed_at) {
    const updated_at = new Date(state.now()).toISOString();
    const open = { completed_at: null, completed_status: null, completed_status_message: null };
    Object.assign(task, open, { updated_at });
  }
  return project(task, selection);
};
