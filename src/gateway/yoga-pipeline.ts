import { type ExecutionArgs, GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { OperationContext } from './context.ts';
import type { CostLimits } from './cost.ts';
import { parseBounded, validateBounded } from './documents/limits.ts';
import { executeOperation, OperationResult } from './engine.ts';
import { formatError, isDocumentError } from './errors.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';
import { extensionsOf, type ResponseOptions, reportError, respondWithStop } from './response.ts';

/** The server context of Yoga and its plugins. */
interface PipelineContext extends OperationContext {
  readonly response: ResponseOptions;
}

export interface YogaPipelineOptions {
  /** A separate instance, since plugins may change it. */
  readonly schema: GraphQLSchema;
  readonly plugins: readonly Plugin[];
  readonly limits: CostLimits;
}

const ENDPOINT = 'http://localhost/graphql';

/**
 * Runs operations through Yoga's full pipeline, so that plugin hooks get what they expect: a fetch Request and
 * Response. It is several times slower than calling the engine directly, so it is
 * used only if there are plugins.
 */
export function createYogaPipeline({ schema, plugins, limits }: YogaPipelineOptions) {
  const yoga = createYoga<PipelineContext>({
    schema,
    plugins: [useEngine(limits), useCost(), ...plugins, usePublicErrors()],
    graphqlEndpoint: new URL(ENDPOINT).pathname,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    // Errors are masked in errors.ts.
    maskedErrors: false,
    logging: false,
  });

  return async (
    request: GatewayRequest,
    query: string,
    context: OperationContext,
    response: ResponseOptions,
  ): Promise<GatewayResponse> => {
    const fetchResponse = await yoga.fetch(fetchRequestOf(request, query), { ...context, response });
    const headers = Object.fromEntries(fetchResponse.headers);
    const contentType = headers['content-type']?.replace(/;.*/, '');
    delete headers['content-type'];
    delete headers['content-length'];
    const body = Buffer.from(await fetchResponse.arrayBuffer()).toString('latin1');
    try {
      // The data of a mutation fits already.
      if (!context.budget.isProtected) context.budget.checkJsonLength(body.length);
    } catch (error) {
      return respondWithStop(error, context, response);
    }
    return {
      status: fetchResponse.status,
      isInvalidDocument: false,
      headers,
      ...(contentType && { contentType }),
      body: [body],
    };
  };
}

function fetchRequestOf(
  { params, isReadOnly, headers: incomingHeaders }: GatewayRequest,
  query: string,
): Request {
  const { operationName, variables, extensions } = params;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incomingHeaders)) {
    if (value !== undefined && !DROPPED_HEADERS.has(name)) headers.set(name, String(value));
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

/** Headers of the connection and of the original body, which do not apply to the new request. */
const DROPPED_HEADERS = new Set([
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

/** Makes Yoga parse and validate within limits, and execute by compiled plans. */
function useEngine(limits: CostLimits): Plugin<PipelineContext> {
  return {
    onParse: ({ setParseFn }) => setParseFn(parseBounded),
    onValidate: ({ setValidationFn }) => setValidationFn(validateBounded),
    onExecute({ args, setExecuteFn }) {
      const { contextValue, document, operationName } = args;
      contextValue.response.observed?.setDocument(document, operationName ?? undefined);
      setExecuteFn(() => executeOperation(args, contextValue, limits));
    },
  };
}

/** Adds the cost extension. */
function useCost(): Plugin<PipelineContext> {
  return {
    onExecute({ args: { contextValue }, executeFn, setExecuteFn }) {
      setExecuteFn(async (args: ExecutionArgs) => {
        const result: unknown = await executeFn(args);
        if (!(result instanceof OperationResult)) return result;
        const { data, errors, estimatedCalls } = result;
        const extensions = { ...extensionsOf(contextValue, estimatedCalls), ...result.extensions };
        return { ...(errors && { errors }), ...(data !== undefined && { data }), extensions };
      });
    },
  };
}

/** Masks errors as the direct path does: each has a code and the request id. */
function usePublicErrors(): Plugin<object, PipelineContext> {
  return {
    onResultProcess({ result, setResult, serverContext: { response } }) {
      if (Array.isArray(result) || !('errors' in result) || !result.errors) return;
      const { data } = result;
      const errors = result.errors.map((error) => {
        const masked = reportError(error, response);
        const { status, headers } = masked;
        const { message, extensions } = formatError(masked, response.requestId);
        const http =
          data === undefined
            ? { http: { status, spec: isDocumentError(masked), ...(headers && { headers }) } }
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
