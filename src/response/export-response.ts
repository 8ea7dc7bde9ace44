import type { ExecutionResult, GraphQLError } from 'graphql';
import type { FetchAPI } from 'graphql-yoga';
import { pageRows, writeBody } from '../export/write-body.ts';
import { badRequest, NO_STORE, VARY } from '../http/errors.ts';
import type { ExportFormat } from '../http/negotiation.ts';
import type { GatewayContext } from '../request/context.ts';
import { resultResponse } from './json-response.ts';
import { reportError } from './public-errors.ts';
import { streamedResponse } from './response-body.ts';

const CONTENT_TYPES: { readonly [format in ExportFormat]: string } = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

const NOT_BY_PAGES = badRequest(
  'A plugin of this gateway answers this operation itself, so it cannot be exported: ask for JSON.',
);

/** Writes pages as CSV or NDJSON while they are read. What fails before there is a row is an ordinary error. */
export async function exportResponse(
  result: ExecutionResult | AsyncIterable<ExecutionResult>,
  context: GatewayContext,
  fetchAPI: FetchAPI,
): Promise<Response> {
  const { exported: request, exportPlan: plan, observed } = context;
  const fail = (errors: readonly GraphQLError[]) => resultResponse({ errors }, context, fetchAPI);
  if (!(Symbol.asyncIterator in result)) return fail(result.errors?.length ? result.errors : [NOT_BY_PAGES]);
  const pages = result[Symbol.asyncIterator]();
  const first = await pages.next();
  if (request === undefined || plan === undefined || first.done) return fail([NOT_BY_PAGES]);
  const { rows, failure } = pageRows(plan, first.value);
  if (rows.length === 0 && failure) {
    await pages.return?.();
    return fail([failure.error]);
  }
  const { format } = request;
  const body = writeBody(first, pages, {
    plan,
    request,
    onRows(rows) {
      observed.line.format = format;
      observed.line.exportedRows = rows;
    },
    describe({ error, column }) {
      const { message, extensions } = reportError(error, context).visible;
      return { message, ...extensions, ...(column !== undefined && { column }) };
    },
  });
  const headers = {
    'content-type': CONTENT_TYPES[format],
    'content-disposition': `attachment; filename="${plan.fileName}.${format}"`,
    'cache-control': NO_STORE,
    vary: VARY,
  };
  return streamedResponse(body, headers, context);
}
