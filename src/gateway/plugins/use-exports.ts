import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { execute } from '../../execution/execute.ts';
import { planBytes } from '../../execution/plan-cache.ts';
import { asGraphQLError, publicError } from '../../execution/public-errors.ts';
import { createExportPlan } from '../../export/export-plan.ts';
import { type ExportFormat, type ExportRequest, exportPaths } from '../../export/export-request.ts';
import { pageRows, readPages } from '../../export/page-rows.ts';
import { writeBody } from '../../export/write-body.ts';
import { badRequest, NO_STORE, VARY } from '../../http/errors.ts';
import { pathOf } from '../../pages/route.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { createPageSession, type SessionOptions } from '../../request/rest-sessions.ts';
import { reportError } from '../../response/errors.ts';
import { lastingUntil, streamedResponse } from '../../response/streamed-response.ts';
import type { Log } from '../../telemetry/log.ts';

/** Executes the operation of an export once for each page of its list, as an async iterable of results. */
export function useExportPages(options: SessionOptions): GatewayPlugin {
  return {
    onExecute({ setExecuteFn, context }) {
      const { exported } = context;
      if (exported) setExecuteFn((args: ExecutionArgs) => executePages(args, exported, context, options));
    },
  };
}

function executePages(
  args: ExecutionArgs,
  exported: ExportRequest,
  context: GatewayContext,
  options: SessionOptions,
): AsyncIterable<ExecutionResult> {
  const plan = createExportPlan(args, exported, options.maxFirst);
  context.holding.add(planBytes(plan.root));
  context.exportPlan = plan;
  return readPages(plan, (page) => {
    const { end, ...session } = createPageSession(options, context, plan.pageRows);
    const { size, maxFirst } = session;
    const ofPage = { ...context, ...session, maxFirst: plan.maxFirst ?? maxFirst };
    const run = async () => execute(plan.operation(page), ofPage, size);
    return { result: run(), end };
  });
}

const CONTENT_TYPES: { readonly [format in ExportFormat]: string } = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** Errors of a list, which are no part of an answer here but all of it. */
const STATUS_BY_CODE: { readonly [code: string]: number } = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
  UPSTREAM_INVALID_RESPONSE: 502,
  UPSTREAM_UNAVAILABLE: 502,
};

const NOT_BY_PAGES = badRequest(
  'A plugin of this gateway answers this operation itself, so it cannot be exported: ask for JSON.',
);

type ResultPayload = Parameters<NonNullable<GatewayPlugin['onResultProcess']>>[0];

/** Writes pages as CSV or NDJSON while they are read. What fails before there is a row is an ordinary error. */
export function useExportResponse(log: Log, endpoint: string): GatewayPlugin {
  const paths = exportPaths(endpoint);
  return {
    onRequest({ request, serverContext, requestHandler, endResponse }) {
      if (paths[pathOf(request)] === undefined) return undefined;
      // Yoga knows one path, and would refuse this one in a hook that comes after all others.
      return Promise.resolve(requestHandler(request, serverContext)).then(endResponse);
    },
    onResultProcess(payload) {
      return payload.serverContext.exported ? startResponse(payload, log) : undefined;
    },
  };
}

async function startResponse(
  { result, setResult, setResultProcessor, serverContext: context }: ResultPayload,
  log: Log,
): Promise<void> {
  const { exported, exportPlan: plan } = context;
  if (exported === undefined || Array.isArray(result)) return;
  if (!(Symbol.asyncIterator in result)) {
    if (!result.errors?.length) setResult({ errors: [NOT_BY_PAGES] });
    return;
  }
  const pages = result[Symbol.asyncIterator]();
  const first = await pages.next();
  if (plan === undefined || first.done) return void setResult({ errors: [NOT_BY_PAGES] });
  const { rows, failure } = pageRows(plan, first.value);
  if (rows.length === 0 && failure) {
    await pages.return?.();
    return void setResult({ errors: [withStatus(failure.error, context)] });
  }
  setResultProcessor(() => respond(first.value, pages, context, log), CONTENT_TYPES[exported.format]);
}

/** Again from the first page, which has been looked at. */
async function* resumed(
  first: ExecutionResult,
  pages: AsyncIterator<ExecutionResult>,
): AsyncGenerator<ExecutionResult, void, undefined> {
  yield first;
  for (let next = await pages.next(); !next.done; next = await pages.next()) yield next.value;
}

function withStatus(error: GraphQLError, { requestId }: GatewayContext): GraphQLError {
  const status = STATUS_BY_CODE[publicError(error, requestId).code];
  if (status === undefined) return error;
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  const { message, path = null, nodes = null } = error;
  const extensions = { http: { status, headers } };
  return new GraphQLError(message, { path, nodes, originalError: error, extensions });
}

function respond(
  first: ExecutionResult,
  pages: AsyncIterator<ExecutionResult>,
  context: GatewayContext,
  log: Log,
): Response {
  const { exported: request, exportPlan: plan, observed, cancellation } = context;
  if (request === undefined || plan === undefined) throw new TypeError('not an export');
  const { format } = request;
  const body = writeBody(resumed(first, pages), {
    plan,
    request,
    onChunk(bytes, rows) {
      observed.bytes += bytes;
      observed.exported = { format, rows };
    },
    interruption: () =>
      cancellation.isAborted ? { error: asGraphQLError(cancellation.error()) } : undefined,
    describe({ error, column }) {
      const { message, extensions } = reportError(error, context, log).visible;
      return { message, ...extensions, ...(column !== undefined && { column }) };
    },
  });
  const headers = {
    'content-type': CONTENT_TYPES[format],
    'content-disposition': `attachment; filename="${plan.fileName}.${format}"`,
    'cache-control': NO_STORE,
    vary: VARY,
  };
  // A body that is left at its header has not begun to read them.
  const stream = lastingUntil(body, context, () => pages.return?.());
  return streamedResponse({ stream, isCompressible: true }, headers, context);
}
