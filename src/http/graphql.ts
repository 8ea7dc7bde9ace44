import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionResult, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import { isAsyncIterable, type YogaServerInstance } from 'graphql-yoga';
import type { Context } from '../context.ts';
import { type PublicError, publicError } from '../errors.ts';
import type { Log } from '../log.ts';
import { WrittenData } from '../plugins/answers.ts';
import { bytesOf } from '../rest/bytes.ts';
import { JSON_TYPE, negotiate, RESPONSE_JSON } from './accept.ts';
import { type OperationRequest, Refusal } from './operation.ts';

/** Where an operation comes from, and where its answer goes. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly context: Context;
}

export type Engine = Pick<YogaServerInstance<Context, object>, 'getEnveloped'>;

/** One answer need not tell the same of ten thousand rows. */
const MOST_ERRORS = 500;

/**
 * GraphQL over HTTP, straight from Node's request to Node's response. Yoga's engine parses, validates and runs
 * an operation, so every plugin takes part; only the fetch objects that its server would build are left out.
 */
export async function answerGraphql(
  engine: Engine,
  operation: OperationRequest,
  exchange: Exchange,
  log: Log,
): Promise<void> {
  const { incoming, outgoing } = exchange;
  const contentType = negotiate(incoming.headers.accept);
  if (contentType === undefined)
    throw new Refusal(406, 'NOT_ACCEPTABLE', `Answers come as ${RESPONSE_JSON} or ${JSON_TYPE}.`);
  const { errors, data, extensions } = await run(engine, exchange, operation);

  const requestId = String(incoming.headers['x-request-id']);
  const shown = errors?.slice(0, MOST_ERRORS).map((error) => publicError(error, requestId)) ?? [];
  for (const { formatted } of shown) {
    if (formatted.extensions.code === 'INTERNAL_SERVER_ERROR')
      log('error', 'unexpected error', { requestId });
  }
  const status = data === undefined ? statusOf(shown, contentType) : 200;
  const members: string[] = [];
  if (shown.length > 0) members.push(`"errors":${inBytes(shown.map(({ formatted }) => formatted))}`);
  // What comes from the service is in bytes already.
  if (data !== undefined)
    members.push(`"data":${data instanceof WrittenData ? data.json : JSON.stringify(data)}`);
  if (extensions) members.push(`"extensions":${inBytes(extensions)}`);
  send(outgoing, status, contentType, `{${members.join(',')}}`);
}

function inBytes(value: unknown): string {
  return bytesOf(JSON.stringify(value));
}

function send(outgoing: ServerResponse, status: number, contentType: string, bytes: string): void {
  outgoing.writeHead(status, {
    'Content-Type': `${contentType}; charset=utf-8`,
    'Content-Length': bytes.length,
  });
  outgoing.end(bytes, 'latin1');
}

async function run(
  engine: Engine,
  exchange: Exchange,
  operation: OperationRequest,
): Promise<ExecutionResult> {
  const { parse, validate, contextFactory, execute, schema } = engine.getEnveloped(exchange.context);
  const { query, variables: variableValues, operationName } = operation;
  try {
    const document = parse(query);
    if (exchange.incoming.method === 'GET')
      forbidMutation(getOperationAST(document, operationName)?.operation);
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors };
    const contextValue = await contextFactory();
    const result = await execute({ schema, document, contextValue, variableValues, operationName });
    if (isAsyncIterable(result)) throw new Error('an answer in parts was not asked for');
    return result;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const errors = error instanceof AggregateError ? error.errors : [error];
    return { errors: errors.map(asGraphqlError) };
  }
}

/** A GET can be sent by a link or an image: it must not change anything. */
function forbidMutation(operation: OperationTypeNode | undefined): void {
  if (operation !== OperationTypeNode.MUTATION) return;
  throw new Refusal(405, 'METHOD_NOT_ALLOWED', 'Send a mutation by POST.', { Allow: 'POST' });
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
