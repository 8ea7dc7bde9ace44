import { fieldsOf, fieldsParameter, mergeAll } from '../../rest/fields.ts';
import { isObject } from '../../rest/json.ts';
import { formBody } from '../../rest/request-body.ts';
import type { Row } from '../../rest/resource.ts';
import { pathSegment } from '../../rest/url.ts';
import { administrationId } from '../fields/administration.ts';
import { builder, restValue, UNEXPLAINED_VALUES } from '../fields/builder.ts';
import { singleCallCost } from '../fields/estimate.ts';
import { decodeGlobalId, internalId } from '../fields/global-id.ts';
import { restMetadata } from '../fields/metadata.ts';
import { receiveRecord } from '../fields/record.ts';
import { recordType } from '../fields/record-type.ts';
import { selectionOf, withMembers } from '../fields/selection.ts';
import { debtorJoin } from './debtor.ts';

const TaskCompletedStatus = builder.enumType('TaskCompletedStatus', {
  description: `A completion status of a task, as the REST service has it. ${UNEXPLAINED_VALUES}`,
  values: {
    SUCCEEDED: restValue('succeeded'),
    FAILED: restValue('failed'),
    CLEANED_UP: restValue('cleaned_up'),
  },
});

const TaskUser = recordType('TaskUser', {
  description: 'A user that a task is assigned to.',
  fields: (t) => ({
    ...t.ids('TaskUser'),
    name: t.text('Name.'),
    emailAddress: t.text('E-mail address.'),
  }),
});

const TaskComment = recordType('TaskComment', {
  description: 'A comment on a task.',
  fields: (t) => ({
    ...t.ids('TaskComment'),
    content: t.text('Text.'),
    createdAt: t.moment('When it was created.'),
  }),
});

const Task = recordType('Task', {
  description: 'A task, which may be associated with a debtor, a credit case or an invoice.',
  fields: (t) => ({
    ...t.ids('Task'),
    administrationId: t.id(
      'Internal id of the administration it belongs to. Null if neither the caller nor the REST service names it.',
    ),
    expiryDate: t.text('Expiry date, as text.'),
    createdAt: t.moment('When it was created.'),
    updatedAt: t.moment('Last change.'),
    completedAt: t.moment('When it was completed.'),
    assignedToUser: t.of(TaskUser, 'The user that it is assigned to.'),
    creditCaseId: t.id('Internal id of the credit case that it is associated with.'),
    debtorId: t.id('Internal id of the debtor that it is associated with.'),
    debtor: debtorJoin('The debtor that it is associated with, or null if it no longer exists.'),
    invoiceId: t.id('Internal id of the invoice that it is associated with.'),
    description: t.text('Description.'),
    subject: t.text('Subject.'),
    completedStatus: t.of(TaskCompletedStatus, 'Completion status.'),
    completedStatusMessage: t.text('Message about the completion status.'),
    comments: t.of([TaskComment], 'Comments.'),
  }),
});

const UnmarkTaskCompletedInput = builder.inputType('UnmarkTaskCompletedInput', {
  description: 'Which task to unmark as completed.',
  fields: (t) => ({
    taskId: t.id({ required: true, description: 'The task, by global or internal id.' }),
    administrationId: t.id({ description: 'Its administration, by global or internal id.' }),
  }),
});

const UnmarkTaskCompletedPayload = builder
  .objectRef<{ readonly task: Row }>('UnmarkTaskCompletedPayload')
  .implement({
    description: 'The task that was unmarked as completed.',
    fields: (t) => ({
      task: t.expose('task', {
        type: Task,
        nullable: false,
        description: 'The task, as the REST service returns it.',
        extensions: restMetadata({ wrapsRecord: true }),
      }),
    }),
  });

builder.mutationField('unmarkTaskCompleted', (t) =>
  t.field({
    type: UnmarkTaskCompletedPayload,
    description: 'Marks a task as not completed. Needs a Bearer token.',
    args: {
      input: t.arg({ type: UnmarkTaskCompletedInput, required: true, description: 'Which task.' }),
    },
    extensions: restMetadata({ cost: singleCallCost }),
    resolve: async (_root, { input }, { rest }, info) => {
      const administration =
        typeof input.administrationId === 'string'
          ? administrationId(input.administrationId)
          : decodeGlobalId(input.taskId)?.administration || undefined;
      const id = internalId(input.taskId, 'Task', 'taskId', administration);
      const fields = mergeAll([fieldsOf(['id', 'administration_id']), withMembers(selectionOf(info))]);
      const task = await receiveRecord(
        rest,
        { what: 'task', id, administration },
        {
          method: 'PATCH',
          endpoint: 'PATCH /v1/tasks/{id}/unmark_completed',
          path: `/v1/tasks/${pathSegment('taskId', id)}/unmark_completed`,
          credential: 'bearer',
          ...formBody({
            ...(administration !== undefined && { administration_id: administration }),
            fields: fieldsParameter(fields),
          }),
        },
      );
      return { task: withAdministrationInside(task) };
    },
  }),
);

interface TaskRow extends Row {
  readonly assigned_to_user?: unknown;
  readonly comments?: unknown;
}

/** The user and the comments belong to the administration of their task: their global ids need it. */
function withAdministrationInside(task: TaskRow): TaskRow {
  const { administration_id, assigned_to_user: user, comments } = task;
  const records: unknown[] = Array.isArray(comments) ? [user, ...comments] : [user];
  for (const record of records) if (isObject(record)) Object.assign(record, { administration_id });
  return task;
}
