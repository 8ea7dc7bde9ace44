import { invalid, RestError } from '../../rest/errors.ts';
import { fieldsOf, fieldsParameter, mergeFields } from '../../rest/fields.ts';
import { isObject } from '../../rest/json.ts';
import { inAdministration, isValidRow, RowErrors } from '../../rest/page-body.ts';
import { formBody } from '../../rest/request-body.ts';
import type { Call } from '../../rest/session.ts';
import { pathSegment } from '../../rest/url.ts';
import { builder, recordRef, restValue, UNEXPLAINED_VALUES } from '../fields/builder.ts';
import { singleCallCost } from '../fields/estimate.ts';
import { decodeGlobalId, internalId } from '../fields/global-id.ts';
import { restMetadata } from '../fields/metadata.ts';
import { globalId, INTERNAL_ID } from '../fields/node.ts';
import { selectionOf, withMembers } from '../fields/selection.ts';
import { administrationId } from './administration.ts';
import { debtorJoin } from './debtor.ts';

interface TaskRow {
  readonly id: string;
  readonly administration_id?: string | null;
  readonly expiry_date?: string | null;
  readonly created_at?: string | null;
  readonly updated_at?: string | null;
  readonly completed_at?: string | null;
  readonly assigned_to_user?: TaskUserRow | null;
  readonly credit_case_id?: string | null;
  readonly debtor_id?: string | null;
  readonly invoice_id?: string | null;
  readonly description?: string | null;
  readonly subject?: string | null;
  readonly completed_status?: typeof TaskCompletedStatus.$inferType | null;
  readonly completed_status_message?: string | null;
  readonly comments?: readonly TaskCommentRow[] | null;
}

interface TaskUserRow {
  readonly id: string;
  readonly name?: string | null;
  readonly email_address?: string | null;
}

interface TaskCommentRow {
  readonly id: string;
  readonly content?: string | null;
  readonly created_at?: string | null;
}

const TaskCompletedStatus = builder.enumType('TaskCompletedStatus', {
  description: `A completion status of a task, as the REST service has it. ${UNEXPLAINED_VALUES}`,
  values: {
    SUCCEEDED: restValue('succeeded'),
    FAILED: restValue('failed'),
    CLEANED_UP: restValue('cleaned_up'),
  },
});

const TaskUser = recordRef<TaskUserRow>('TaskUser').implement({
  description: 'A user that a task is assigned to.',
  fields: (t) => ({
    id: t.id(globalId('TaskUser')),
    internalId: t.exposeID('id', INTERNAL_ID),
    name: t.exposeString('name', { description: 'Name.' }),
    emailAddress: t.exposeString('email_address', { description: 'E-mail address.' }),
  }),
});

const TaskComment = recordRef<TaskCommentRow>('TaskComment').implement({
  description: 'A comment on a task.',
  fields: (t) => ({
    id: t.id(globalId('TaskComment')),
    internalId: t.exposeID('id', INTERNAL_ID),
    content: t.exposeString('content', { description: 'Text.' }),
    createdAt: t.expose('created_at', { type: 'DateTime', description: 'When it was created.' }),
  }),
});

type TaskRecord = typeof Task.$inferType;

const Task = recordRef<TaskRow>('Task').implement({
  description: 'A task, which may be associated with a debtor, a credit case or an invoice.',
  fields: (t) => ({
    id: t.id(globalId('Task')),
    internalId: t.exposeID('id', INTERNAL_ID),
    administrationId: t.exposeID('administration_id', {
      description:
        'Internal id of the administration it belongs to. Null if neither the caller nor the REST service names it.',
    }),
    expiryDate: t.exposeString('expiry_date', { description: 'Expiry date, as text.' }),
    createdAt: t.expose('created_at', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updated_at', { type: 'DateTime', description: 'Last change.' }),
    completedAt: t.expose('completed_at', { type: 'DateTime', description: 'When it was completed.' }),
    assignedToUser: t.expose('assigned_to_user', {
      type: TaskUser,
      description: 'The user that it is assigned to.',
    }),
    creditCaseId: t.exposeID('credit_case_id', {
      description: 'Internal id of the credit case that it is associated with.',
    }),
    debtorId: t.exposeID('debtor_id', {
      description: 'Internal id of the debtor that it is associated with.',
    }),
    debtor: t.field(debtorJoin('The debtor that it is associated with, or null if it no longer exists.')),
    invoiceId: t.exposeID('invoice_id', {
      description: 'Internal id of the invoice that it is associated with.',
    }),
    description: t.exposeString('description', { description: 'Description.' }),
    subject: t.exposeString('subject', { description: 'Subject.' }),
    completedStatus: t.expose('completed_status', {
      type: TaskCompletedStatus,
      description: 'Completion status.',
    }),
    completedStatusMessage: t.exposeString('completed_status_message', {
      description: 'Message about the completion status.',
    }),
    comments: t.expose('comments', { type: [TaskComment], description: 'Comments.' }),
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
  .objectRef<{ readonly task: TaskRecord }>('UnmarkTaskCompletedPayload')
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
    resolve: async (_root, { input }, context, info) => {
      const administration =
        typeof input.administrationId === 'string'
          ? administrationId(input.administrationId)
          : decodeGlobalId(input.taskId)?.administration || undefined;
      const id = internalId(input.taskId, 'Task', 'taskId', administration);
      const path = `/v1/tasks/${pathSegment('taskId', id)}/unmark_completed`;
      const fields = fieldsParameter(
        mergeFields(fieldsOf(['id', 'administration_id']), withMembers(selectionOf(info))),
      );
      const { rest } = context;
      const call: Call = {
        method: 'PATCH',
        endpoint: 'PATCH /v1/tasks/{id}/unmark_completed',
        path,
        credential: 'bearer',
        ...formBody({ ...(administration !== undefined && { administration_id: administration }), fields }),
      };
      const task = await rest.receive(call, ({ body }) => {
        const upstream = { method: 'PATCH', path };
        if (!isValidRow<TaskRecord>(body, rest.text)) throw invalid(upstream, 'a task without an identifier');
        if (body.id !== rest.text.encode(id)) throw invalid(upstream, 'another task than the one asked for');
        return administration === undefined
          ? body
          : inAdministration(body, rest.text.encode(administration), new RowErrors(upstream));
      });
      if (task instanceof RestError) throw task;
      return { task: withAdministrationInside(task) };
    },
  }),
);

/** The user and the comments belong to the administration of their task: their global ids need it. */
function withAdministrationInside(task: TaskRecord): TaskRecord {
  const { administration_id, assigned_to_user: user, comments } = task;
  const isIn = <R>(record: R): R => (isObject(record) ? { ...record, administration_id } : record);
  return {
    ...task,
    ...(user && { assigned_to_user: isIn(user) }),
    ...(Array.isArray(comments) && { comments: comments.map(isIn) }),
  };
}
