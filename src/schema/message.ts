import { badInput, invalid } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import { isLatin1, type Latin1, toLatin1 } from '../rest/latin1.ts';
import { jsonBody } from '../rest/request-body.ts';
import { administrationId } from './administration.ts';
import { builder } from './builder.ts';
import { singleCallCost } from './estimate.ts';
import { internalId } from './global-id.ts';
import { restMetadata } from './metadata.ts';

const PATH = '/v1/messages';

interface RecordMessages {
  readonly recordId: Latin1;
  readonly messages: readonly Latin1[];
}

interface BatchResult {
  readonly success: boolean;
  readonly count: number;
  readonly errors: readonly RecordMessages[];
  readonly warnings: readonly RecordMessages[];
}

const RecordMessages = builder.objectRef<RecordMessages>('RecordMessages').implement({
  description: 'What the REST service said of one record of a batch.',
  fields: (t) => ({
    recordId: t.exposeID('recordId', { nullable: false, description: 'Internal id of the record.' }),
    messages: t.exposeStringList('messages', { nullable: false, description: 'What was said.' }),
  }),
});

const UpdateMessagesPayload = builder.objectRef<BatchResult>('UpdateMessagesPayload').implement({
  description: 'What became of a batch: single messages may fail while the others are processed.',
  fields: (t) => ({
    success: t.exposeBoolean('success', {
      nullable: false,
      description: 'Whether the batch was handled successfully.',
    }),
    count: t.exposeInt('count', {
      nullable: false,
      description: 'How many messages were processed without errors.',
    }),
    errors: t.expose('errors', {
      type: [RecordMessages],
      nullable: false,
      description: 'Messages that could not be processed, with their errors.',
    }),
    warnings: t.expose('warnings', {
      type: [RecordMessages],
      nullable: false,
      description: 'Messages that were processed in part, with their warnings.',
    }),
  }),
});

const MessageUpdate = builder.inputType('MessageUpdate', {
  description: 'One message and what to make of it.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Internal id of the message.' }),
    read: t.boolean({ required: true, description: 'The read flag to set.' }),
  }),
});

const UpdateMessagesInput = builder.inputType('UpdateMessagesInput', {
  description: 'Which messages of which administration to change.',
  fields: (t) => ({
    administrationId: t.id({ required: true, description: 'The administration, by global or internal id.' }),
    messages: t.field({ type: [MessageUpdate], required: true, description: 'The messages, at least one.' }),
  }),
});

builder.mutationField('updateMessages', (t) =>
  t.field({
    type: UpdateMessagesPayload,
    description: 'Marks messages as read or unread, many at once. Bearer.',
    args: { input: t.arg({ type: UpdateMessagesInput, required: true, description: 'Which messages.' }) },
    extensions: restMetadata({ cost: singleCallCost }),
    resolve: async (_root, { input }, { rest }) => {
      if (input.messages.length === 0) throw badInput('`messages` is empty.');
      const messages = input.messages.map(({ id, read }) => ({ id: internalId(id, 'Message', 'id'), read }));
      const { body } = await rest.send({
        method: 'PATCH',
        endpoint: `PATCH ${PATH}`,
        path: PATH,
        credential: 'bearer',
        ...jsonBody({ administration_id: administrationId(input.administrationId), messages }),
      });
      return batchResult(body);
    },
  }),
);

function batchResult(body: unknown): BatchResult {
  if (!isObject(body) || typeof body.success !== 'boolean' || !Number.isSafeInteger(body.count)) {
    throw invalid({ method: 'PATCH', path: PATH }, 'a result that does not say what became of the batch');
  }
  return {
    success: body.success,
    count: Number(body.count),
    errors: recordMessages(body.errors),
    warnings: recordMessages(body.warnings),
  };
}

/** The service returns a map from record ids to messages; GraphQL has no maps, so it becomes a list. */
function recordMessages(map: unknown): RecordMessages[] {
  if (!isObject(map)) return [];
  return Object.entries(map).map(([recordId, messages]) => ({
    recordId: asLatin1(recordId),
    messages: Array.isArray(messages) ? messages.map(asLatin1) : [asLatin1(messages)],
  }));
}

function asLatin1(value: unknown): Latin1 {
  return isLatin1(value) ? value : toLatin1(String(value));
}
