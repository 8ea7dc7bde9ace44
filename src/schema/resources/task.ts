import { formBody } from '../../rest/call.ts';
import { invalidResponse, RestError } from '../../rest/errors.ts';
import { createFieldTree, fieldsParameter, mergeAll, withMembers } from '../../rest/fields.ts';
import { isObject } from '../../rest/json.ts';
import { makeCall } from '../../rest/make-call.ts';
import type { Row } from '../../rest/resource.ts';
import { checkAdministration, getRowMapper, isValidRow } from '../../rest/rows.ts';
import { pathSegment } from '../../rest/url.ts';
import { id, object, text, timestamp } from '../../rest/values.ts';
import { builder } from '../fields/builder.ts';
import { getSelection } from '../fields/metadata.ts';
import { administrationId, decodeGlobalId, internalId, recordIds } from '../fields/node.ts';
import { enumType, getMembers, objectType, recordType } from '../fields/record-type.ts';
import { debtorJoin } from './debtor.ts';

const completedStatus = enumType(
  'TaskCompletedStatus',
  'A completion status of a task, as the REST service has it.',
  ['SUCCEEDED', 'FAILED', 'CLEANED_UP'],
);

const user = {
  ...recordIds('TaskUser'),
  name: text.optional('Name.'),
  emailAddress: text.optional('E-mail address.'),
};
recordType('TaskUser', user, { description: 'A user that a task is assigned to.' });

const comment = {
  ...recordIds('TaskComment'),
  content: text.optional('Text.'),
  createdAt: timestamp.optional('When it was created.'),
};
recordType('TaskComment', comment, { description: 'A comment on a task.' });

const task = {
  ...recordIds('Task'),
  administrationId: id.optional(
    'Internal id of the administration it belongs to. Null if neither the caller nor the REST service names it.',
  ),
  expiryDate: text.optional('Expiry date, as text.'),
  createdAt: timestamp.optional('When it was created.'),
  updatedAt: timestamp.optional('Last change.'),
  completedAt: timestamp.optional('When it was completed.'),
  assignedToUser: object('TaskUser', getMembers(user)).optional('The user that it is assigned to.'),
  creditCaseId: id.optional('Internal id of the credit case that it is associated with.'),
  debtorId: id.optional('Internal id of the debtor that it is associated with.'),
  debtor: debtorJoin('The debtor that it is associated with, or null if it no longer exists.'),
  invoiceId: id.optional('Internal id of the invoice that it is associated with.'),
  description: text.optional('Description.'),
  subject: text.optional('Subject.'),
  completedStatus: completedStatus.optional('Completion status.'),
  completedStatusMessage: text.optional('Message about the completion status.'),
  comments: object('TaskComment', getMembers(comment)).list('Comments.'),
};
const members = getMembers(task);

recordType('Task', task, {
  description: 'A task, which may be associated with a debtor, a credit case or an invoice.',
});

const UnmarkTaskCompletedInput = builder.inputType('UnmarkTaskCompletedInput', {
  description: 'The task to unmark as completed.',
  fields: (t) => ({
    taskId: t.id({ required: true, description: 'The task, by global or internal id.' }),
    administrationId: t.id({ description: 'Its administration, by global or internal id.' }),
  }),
});

const UnmarkTaskCompletedPayload = objectType<{ readonly task: Row }>(
  'UnmarkTaskCompletedPayload',
  'The task that was unmarked as completed.',
  { task: object('Task', members).required('The task, as the REST service returns it.') },
);

builder.mutationField('unmarkTaskCompleted', (t) =>
  t.field({
    type: UnmarkTaskCompletedPayload,
    description: 'Marks a task as not completed. Needs a Bearer token.',
    args: {
      input: t.arg({ type: UnmarkTaskCompletedInput, required: true, description: 'The task to unmark.' }),
    },
    resolve: async (_root, { input }, { dataSource: { session } }, info) => {
      const administration =
        typeof input.administrationId === 'string'
          ? administrationId(input.administrationId)
          : decodeGlobalId(input.taskId)?.administration || undefined;
      const taskId = internalId(input.taskId, 'Task', 'taskId', administration);
      const selected = mergeAll([createFieldTree(['internalId', 'administrationId']), getSelection(info)]);
      const fields = withMembers(members, selected);
      const call = {
        method: 'PATCH',
        endpoint: 'PATCH /v1/tasks/{id}/unmark_completed',
        path: `/v1/tasks/${pathSegment('taskId', taskId)}/unmark_completed`,
        credential: 'bearer',
        ...formBody({
          ...(administration !== undefined && { administration_id: administration }),
          fields: fieldsParameter(members, fields),
        }),
      } as const;
      const createError = (problem: string) =>
        invalidResponse({ method: call.method, path: call.path }, problem);
      const row = await makeCall(session, call, ({ body }) => {
        const record = isObject(body) ? getRowMapper(members, fields)(body) : undefined;
        if (!isValidRow(record) || record.internalId !== taskId)
          throw createError('another task than the one asked for');
        return administration === undefined
          ? record
          : checkAdministration(record, administration, createError);
      });
      if (row instanceof RestError) throw row;
      return { task: addNestedAdministration(row) };
    },
  }),
);

/** The global ids of the user and the comments contain the administration of the task. */
function addNestedAdministration(row: Row): Row {
  const { administrationId, assignedToUser: user, comments } = row;
  for (const record of [user, comments].flat())
    if (isObject(record) && !(record instanceof Error)) Object.assign(record, { administrationId });
  return row;
}
