import type { GraphQLResolveInfo } from 'graphql';
import { addFieldError } from '../../execution/execution-context.ts';
import { type Call, jsonRequestBody } from '../../rest/call.ts';
import { badInput, invalidResponse } from '../../rest/errors.ts';
import { isNullish, isObject } from '../../rest/json.ts';
import { makeCall } from '../../rest/make-call.ts';
import { compileRowMapper } from '../../rest/rows.ts';
import { encodeValue } from '../../rest/url.ts';
import { boolean, id, int, text } from '../../rest/values.ts';
import { builder } from '../fields/builder.ts';
import { administrationId, internalId } from '../fields/node.ts';
import { objectType } from '../fields/record-type.ts';

const UPSTREAM = { method: 'PATCH', path: '/v1/messages' } as const;

const RecordMessages = objectType(
  'RecordMessages',
  'Messages of the REST service about one record of a batch.',
  {
    recordId: id.required('Internal id of the record.'),
    messages: { ...text.list('The messages.'), nullable: false },
  },
);

const result = {
  success: boolean.required('Whether the batch was handled successfully.'),
  count: int.required('How many messages were processed without errors.'),
};
const makeResult = compileRowMapper(result);

/** The results of single messages, which are read only if they are selected. */
type BatchResult = { readonly [member in 'errors' | 'warnings']?: unknown };

const UpdateMessagesPayload = objectType<BatchResult>(
  'UpdateMessagesPayload',
  'The result of a batch. Single messages may fail while the others are processed.',
  {
    ...result,
    errors: messagesField('errors', 'Messages that could not be processed, with their errors.'),
    warnings: messagesField('warnings', 'Messages that were processed in part, with their warnings.'),
  },
);

/** Turns a map into a list. Values that cannot be read add an error: a null would hide the result of the write. */
function messagesField(member: keyof BatchResult, description: string) {
  const resolve = (result: BatchResult, _args: object, _context: object, info: GraphQLResolveInfo) => {
    const { [member]: map } = result;
    let isComplete = isNullish(map) || isObject(map);
    const entries = Object.entries(isObject(map) ? map : {}).map(([recordId, messageOrList]) => {
      const values: unknown[] = Array.isArray(messageOrList) ? messageOrList : [messageOrList];
      const messages = values.filter((value) => typeof value === 'string');
      isComplete &&= messages.length === values.length;
      return { recordId, messages };
    });
    const problem = `a result of the batch whose \`${member}\` cannot be read; messages may have been changed`;
    if (!isComplete) addFieldError(info, invalidResponse(UPSTREAM, problem));
    return entries;
  };
  return { type: [RecordMessages], nullable: false, description, resolve } as const;
}

const MessageUpdate = builder.inputType('MessageUpdate', {
  description: 'A message, and the read flag to set.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Internal id of the message.' }),
    read: t.boolean({ required: true, description: 'The read flag to set.' }),
  }),
});

const UpdateMessagesInput = builder.inputType('UpdateMessagesInput', {
  description: 'The messages to change, and their administration.',
  fields: (t) => ({
    administrationId: t.id({ required: true, description: 'The administration, by global or internal id.' }),
    messages: t.field({ type: [MessageUpdate], required: true, description: 'The messages, at least one.' }),
  }),
});

builder.mutationField('updateMessages', (t) =>
  t.field({
    type: UpdateMessagesPayload,
    description: 'Marks one or more messages as read or unread. Needs a Bearer token.',
    args: { input: t.arg({ type: UpdateMessagesInput, required: true, description: 'The messages.' }) },
    resolve: async (_root, { input }, { dataSource: { session } }) => {
      if (input.messages.length === 0) throw badInput('`messages` is empty.');
      const messages = input.messages.map(({ id: messageId, read }) => {
        const id = internalId(messageId, 'Message', 'id');
        encodeValue('id', id);
        return { id, read };
      });
      const call: Call = {
        ...UPSTREAM,
        endpoint: 'PATCH /v1/messages',
        credential: 'bearer',
        ...jsonRequestBody({ administration_id: administrationId(input.administrationId), messages }),
      };
      return makeCall(session, call, ({ body }) => {
        if (!isObject(body)) throw invalidResponse(UPSTREAM, 'not the result of a batch');
        return { ...makeResult(body), errors: body.errors, warnings: body.warnings };
      });
    },
  }),
);
