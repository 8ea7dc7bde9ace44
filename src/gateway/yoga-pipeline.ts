import { type ExecutionArgs, GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { isObject } from '../rest/json.ts';
import { fromLatin1, isLatin1, toLatin1 } from '../rest/latin1.ts';
import type { OperationContext } from './context.ts';
import type { CostLimits } from './cost.ts';
import { OperationResult, useEngine } from './engine.ts';
import { formatError, isDocumentError, publicError } from './errors.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';
import { extensionsOf, type ResponseOptions } from './response.ts';

/** What Yoga and its plugins know of an operation. */
interface PipelineContext extends OperationContext {
  readonly response: ResponseOptions;
}

export interface YogaPipelineOptions {
  /** A schema of its own: plugins may change it. */
  readonly schema: GraphQLSchema;
  readonly plugins: readonly Plugin[];
  readonly limits: CostLimits;
}

const ENDPOINT = 'http://localhost/graphql';

/**
 * Runs operations through the whole of Yoga, so that every hook of a plugin is called with what it expects: a fetch
 * Request and Response, and results whose text is text. It costs several times the direct way, so it is used only
 * where a gateway is given plugins of others.
 */
export function createYogaPipeline({ schema, plugins, limits }: YogaPipelineOptions) {
  const yoga = createYoga<PipelineContext>({
    schema,
    plugins: [useEngine(limits), useTextResults(), ...plugins, usePublicErrors()],
    graphqlEndpoint: new URL(ENDPOINT).pathname,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    // What leaves is decided in errors.ts.
    maskedErrors: false,
    logging: false,
  });

  return async (
    request: GatewayRequest,
    query: string,
    context: OperationContext,
    response: ResponseOptions,
  ): Promise<GatewayResponse> => {
    const answer = await yoga.fetch(fetchRequestOf(request, query), { ...context, response });
    const headers = Object.fromEntries(answer.headers);
    const contentType = headers['content-type']?.replace(/;.*/, '');
    delete headers['content-type'];
    delete headers['content-length'];
    const body = [String(toLatin1(await answer.text()))];
    return {
      status: answer.status,
      isInvalidDocument: false,
      headers,
      ...(contentType && { contentType }),
      body,
    };
  };
}

function fetchRequestOf({ params, isReadOnly, headers: given }: GatewayRequest, query: string): Request {
  const { operationName, variables, extensions } = params;
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !HOP_HEADERS.has(name)) headers.set(name, String(value));
  }
  if (!isReadOnly) {
    headers.set('content-type', 'application/json');
    const body = JSON.stringify({ query, operationName, variables, extensions });
    return new Request(ENDPOINT, { method: 'POST', headers, body });
  }
  const url = new URL(ENDPOINT);
  url.searchParams.set('query', query);
  if (operationName !== undefined) url.searchParams.set('operationName', operationName);
  if (variables) url.searchParams.set('variables', JSON.stringify(variables));
  if (extensions) url.searchParams.set('extensions', JSON.stringify(extensions));
  return new Request(url, { headers });
}

/** Those of the connection and of the body as it arrived, which is not the one that is passed on. */
const HOP_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** Gives plugins results as they know them: text for Latin-1, and what the operation has cost. */
function useTextResults(): Plugin<PipelineContext> {
  return {
    onExecute({ args: { contextValue }, executeFn, setExecuteFn }) {
      setExecuteFn(async (args: ExecutionArgs) => {
        const result: unknown = await executeFn(args);
        if (!(result instanceof OperationResult)) return result;
        const { data, errors, estimatedCalls } = result;
        const extensions = textIn(extensionsOf(contextValue, estimatedCalls));
        return { ...(errors && { errors }), ...(data !== undefined && { data: textIn(data) }), extensions };
      });
    },
  };
}

/** Every error leaves as it does the direct way: with a code and the id of the request. */
function usePublicErrors(): Plugin<object, PipelineContext> {
  return {
    onResultProcess({ result, setResult, serverContext: { response } }) {
      if (Array.isArray(result) || !('errors' in result) || !result.errors) return;
      const { data } = result;
      const errors = result.errors.map((error) => {
        const shown = publicError(error);
        const { status, headers } = shown;
        if (shown.extensions.code === 'INTERNAL_SERVER_ERROR')
          response.log('error', 'unexpected error', { requestId: response.requestId });
        const { message, extensions } = formatError(shown, response.requestId);
        const http =
          data === undefined
            ? { http: { status, spec: isDocumentError(shown), ...(headers && { headers }) } }
            : {};
        const { nodes = null, source = null, positions = null, path = null } = error;
        return new GraphQLError(message, {
          nodes,
          source,
          positions,
          path,
          extensions: { ...extensions, ...http },
        });
      });
      setResult({ ...result, errors });
    },
  };
}

/** A value with the text of its strings, which are Latin-1. */
function textIn(value: unknown): unknown {
  if (isLatin1(value)) return fromLatin1(value);
  if (Array.isArray(value)) return value.map(textIn);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, textIn(member)]));
}
