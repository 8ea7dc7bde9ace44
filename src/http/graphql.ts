import { type ExecutionResult, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import type { YogaServerInstance } from 'graphql-yoga';
import type { Context } from '../context.ts';
import { type PublicError, publicError, type ShownError, shownError } from '../errors.ts';
import { MOST_ERRORS } from '../execution/run.ts';
import type { Log } from '../log.ts';
import { WrittenData } from '../plugins/answers.ts';
import type { Documents } from '../plugins/documents.ts';
import { RefusedDocument } from '../plugins/refusals.ts';
import { inBytes } from '../rest/bytes.ts';
import { JSON_TYPE, negotiate, RESPONSE_JSON } from './accept.ts';
import type { Exchange } from './exchange.ts';
import { type OperationRequest, Refusal } from './operation.ts';

type Engine = Pick<YogaServerInstance<Context, object>, 'getEnveloped'>;

/** What all operations have in common. */
export interface Answering extends Engine {
  readonly documents: Documents;
  readonly log: Log;
}

/**
 * GraphQL over HTTP, straight from Node's request to Node's response. Yoga's engine parses and validates each document
 * once and runs every operation, so all plugins take part; only the fetch objects that its server would build are left
 * out.
 */
export async function answerGraphql(
  answering: Answering,
  operation: OperationRequest,
  context: Context,
  exchange: Exchange,
): Promise<void> {
  const contentType = negotiate(exchange.incoming.headers.accept);
  if (contentType === undefined)
    throw new Refusal(406, 'NOT_ACCEPTABLE', `Answers come as ${RESPONSE_JSON} or ${JSON_TYPE}.`);
  let result: ExecutionResult = {};
  let shown: readonly ShownError[] | undefined;
  try {
    result = await run(answering, operation, context, exchange.incoming.method);
    shown = result.errors?.slice(0, MOST_ERRORS).map(shownError);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    shown = error instanceof RefusedDocument ? error.errors : errorsIn(error).map(shownError);
  }
  const { data, extensions } = result;
  const errors = shown && publicErrors(shown, exchange.requestId, answering.log);
  const status = data === undefined ? statusOf(errors ?? [], contentType) : 200;
  // What comes from the service is in bytes already, and what was kept is written out already.
  const bytes =
    data instanceof WrittenData
      ? `{"data":${data.json},"extensions":${JSON.stringify(extensions)}}`
      : JSON.stringify({
          errors: errors && inBytes(errors.map(({ formatted }) => formatted)),
          data,
          extensions,
        });
  send(exchange, status, contentType, bytes);
}

function publicErrors(shown: readonly ShownError[], requestId: string, log: Log): PublicError[] {
  for (const { extensions } of shown) {
    if (extensions.code === 'INTERNAL_SERVER_ERROR') log('error', 'unexpected error', { requestId });
  }
  return shown.map((error) => publicError(error, requestId));
}

function send({ outgoing, requestId }: Exchange, status: number, contentType: string, bytes: string): void {
  outgoing.writeHead(status, {
    'Content-Type': `${contentType}; charset=utf-8`,
    'Content-Length': bytes.length,
    'X-Request-Id': requestId,
  });
  // Head and body in one piece. Given to `end`, the body would be gathered with an empty last piece: in a small answer
  // that is more than a twentieth of all its work.
  outgoing.socket?.cork();
  outgoing.write(bytes, 'latin1');
  outgoing.socket?.uncork();
  outgoing.end();
}

function run(
  { getEnveloped, documents }: Answering,
  { query, variables: variableValues, operationName }: OperationRequest,
  context: Context,
  method: string | undefined,
): ExecutionResult | Promise<ExecutionResult> {
  const enveloped = getEnveloped(context);
  const document = documents.read(query, enveloped);
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
