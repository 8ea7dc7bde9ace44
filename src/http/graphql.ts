import { type ExecutionResult, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import type { YogaServerInstance } from 'graphql-yoga';
import type { Budget } from '../budget.ts';
import type { Context } from '../context.ts';
import { type PublicError, publicError, type ShownError, shownError } from '../errors.ts';
import type { Log } from '../log.ts';
import { WrittenData } from '../plugins/answers.ts';
import type { Documents } from '../plugins/documents.ts';
import { RefusedDocument } from '../plugins/refusals.ts';
import { inBytes } from '../rest/bytes.ts';
import { isObject } from '../rest/json.ts';
import { JSON_TYPE, negotiate, RESPONSE_JSON } from './accept.ts';
import type { GraphqlRequest } from './graphql-request.ts';
import { type OperationRequest, Refusal } from './operation.ts';
import type { GraphqlResponse } from './response.ts';

type Engine = Pick<YogaServerInstance<Context, object>, 'getEnveloped'>;

/** What all operations have in common. */
export interface Answering extends Engine {
  readonly documents: Documents;
  readonly log: Log;
}

/**
 * GraphQL over HTTP. Yoga's engine parses and validates each document once and runs every operation, so all plugins
 * take part; only the fetch objects that its server would build are left out.
 */
export async function answerGraphql(
  answering: Answering,
  operation: OperationRequest,
  context: Context,
  { method, headers, requestId }: GraphqlRequest,
): Promise<GraphqlResponse> {
  const contentType = negotiate(headers.accept);
  if (contentType === undefined)
    throw new Refusal(406, 'NOT_ACCEPTABLE', `Answers come as ${RESPONSE_JSON} or ${JSON_TYPE}.`);
  let result: ShownResult;
  try {
    const { errors, data, extensions } = await run(answering, operation, context, method);
    result = { errors: errors?.map(shownError), data, extensions };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    result = { errors: error instanceof RefusedDocument ? error.errors : errorsIn(error).map(shownError) };
  }
  try {
    return respond(result, contentType, requestId, answering.log, context.budget);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const { errors, ...instead } = context.budget.resultOf(error);
    const shown = { ...instead, errors: errors?.map(shownError), extensions: result.extensions };
    return respond(shown, contentType, requestId, answering.log, context.budget);
  }
}

/** A result whose errors are as callers see them. */
interface ShownResult {
  readonly errors?: readonly ShownError[] | undefined;
  readonly data?: ExecutionResult['data'];
  readonly extensions?: unknown;
}

/** Throws where the data is too long. */
function respond(
  { errors: found, data, extensions }: ShownResult,
  contentType: string,
  requestId: string,
  log: Log,
  budget: Budget,
): GraphqlResponse {
  const errors = found && publicErrors(found, requestId, log);
  const status = data === undefined ? statusOf(errors ?? [], contentType) : 200;
  const formatted = errors && inBytes(errors.map((error) => error.formatted));
  // What comes from the service is in bytes already.
  if (!(data instanceof WrittenData)) {
    const text = JSON.stringify({ errors: formatted, data, extensions });
    if (data) budget.checkWritten(text.length);
    return { status, contentType, body: [text] };
  }
  const start = formatted ? `{"errors":${JSON.stringify(formatted)},"data":` : '{"data":';
  const end = `,"extensions":${JSON.stringify(extensions)}}`;
  const [only = ''] = data.pieces;
  if (data.pieces.length > 1) return { status, contentType, body: [start, ...data.pieces, end] };
  budget.checkWritten(only.length);
  // Without errors or an explanation it is the same each time, but for the cost that its name tells.
  const { forms } = data;
  const kept = forms && !formatted && !isExplained(extensions) ? { forms, name: end } : undefined;
  return { status, contentType, body: [start + only + end], kept };
}

function isExplained(extensions: unknown): boolean {
  return isObject(extensions) && 'explain' in extensions;
}

function publicErrors(shown: readonly ShownError[], requestId: string, log: Log): PublicError[] {
  for (const { extensions } of shown) {
    if (extensions.code === 'INTERNAL_SERVER_ERROR') log('error', 'unexpected error', { requestId });
  }
  return shown.map((error) => publicError(error, requestId));
}

function run(
  { getEnveloped, documents }: Answering,
  { query, variables: variableValues, operationName }: OperationRequest,
  context: Context,
  method: string | undefined,
): ExecutionResult | Promise<ExecutionResult> {
  const enveloped = getEnveloped(context);
  const document = documents.read(query, enveloped, context.rest.hold);
  if (method === 'GET') forbidMutation(getOperationAST(document, operationName)?.operation);
  const { schema, contextFactory, execute } = enveloped;
  const runIn = (contextValue: unknown) =>
    execute({ schema, document, contextValue, variableValues, operationName });
  const made = contextFactory();
  return made instanceof Promise ? made.then(runIn) : runIn(made);
}

/** A GET can be sent by a link or an image: it must not change anything. */
function forbidMutation(operation: OperationTypeNode | undefined): void {
  if (operation !== OperationTypeNode.MUTATION) return;
  throw new Refusal(405, 'METHOD_NOT_ALLOWED', 'Send a mutation by POST.', { Allow: 'POST' });
}

function errorsIn(error: unknown): GraphQLError[] {
  return (error instanceof AggregateError ? error.errors : [error]).map(asGraphqlError);
}

function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}

/** Clients of application/json expect a 200 where a document is not GraphQL; any other refusal shows at once. */
function statusOf(errors: readonly PublicError[], contentType: string): number {
  const isSyntax = ({ formatted }: PublicError) =>
    /^GRAPHQL_(PARSE|VALIDATION)_FAILED$/.test(formatted.extensions.code);
  if (contentType === JSON_TYPE && errors.every(isSyntax)) return 200;
  return Math.max(...errors.map(({ status }) => status));
}
