import { badRequestError, type DemoRequest, type DemoResponse, HttpError, jsonResponse } from './http.ts';
import * as lists from './lists.ts';
import { unmarkCompleted, updateMessages } from './mutations.ts';
import { createToken, introspectToken } from './oauth.ts';
import type { Handler, ServiceState } from './service-state.ts';

/** Common proxies accept this length; clients have to split longer lists. */
const TARGET_LIMIT = 4_096;

/** The group of a path is the id of a record. */
const endpoints: readonly (readonly [method: string, path: RegExp, handle: Handler])[] = [
  ['GET', /^\/v1\/debtors$/, lists.listDebtors],
  ['GET', /^\/v1\/health_care\/declaration_lines$/, lists.listDeclarationLines],
  ['GET', /^\/v1\/credit_cases\/deleted$/, lists.listDeletedCases],
  ['GET', /^\/v1\/payments\/deleted$/, lists.listDeletedPayments],
  ['GET', /^\/v1\/companies$/, lists.listCompanies],
  ['PATCH', /^\/v1\/messages$/, updateMessages],
  ['PATCH', /^\/v1\/tasks\/([^/]+)\/unmark_completed$/, unmarkCompleted],
  ['POST', /^\/oauth\/token$/, createToken],
  ['POST', /^\/oauth\/introspect$/, introspectToken],
];

export function handleRequest(request: DemoRequest, state: ServiceState): DemoResponse {
  try {
    return jsonResponse(200, callEndpoint(request, state));
  } catch (error) {
    if (error instanceof HttpError) return error.response;
    throw error;
  }
}

function callEndpoint(request: DemoRequest, state: ServiceState): unknown {
  const { path, query, body } = request;
  if (path.length + query.length > TARGET_LIMIT) {
    throw new HttpError(414, 'uri_too_long', `The address may have ${TARGET_LIMIT} bytes.`);
  }
  const endpoint = endpoints.find(([, pattern]) => pattern.test(path));
  if (!endpoint) throw new HttpError(404, 'not_found', `There is nothing at ${path}.`);
  const [method, pattern, handle] = endpoint;
  if (method !== request.method) {
    const message = `${request.method} is not possible here.`;
    throw new HttpError(405, 'method_not_allowed', message, { allow: method });
  }
  if (method === 'GET' && body.length > 0) throw badRequestError('A list takes no body.');
  if (method !== 'GET' && query !== '') throw badRequestError('Parameters belong in the body here.');
  // Ids contain no characters that are encoded.
  return handle(request, state, pattern.exec(path)?.[1] ?? '');
}
