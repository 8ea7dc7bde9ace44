import {
  badRequestError,
  type DemoRequest,
  type DemoResponse,
  HttpError,
  jsonResponse,
  notFound,
  requireSize,
} from './http.ts';
import { companiesEndpoint, listEndpoints } from './lists.ts';
import { unmarkCompletedEndpoint, updateMessagesEndpoint } from './mutations.ts';
import { introspectEndpoint, tokenEndpoint } from './oauth.ts';
import type { Endpoint, World } from './world.ts';

const endpoints: readonly Endpoint[] = [
  ...listEndpoints,
  companiesEndpoint,
  unmarkCompletedEndpoint,
  updateMessagesEndpoint,
  tokenEndpoint,
  introspectEndpoint,
];

export function handleRequest(request: DemoRequest, world: World): DemoResponse {
  try {
    requireSize(request);
    const { endpoint, id } = findEndpoint(request);
    requireNoStrayInput(request, endpoint);
    return jsonResponse(200, endpoint.handle(request, world, id));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return jsonResponse(error.status, { code: error.code, message: error.message }, error.headers);
  }
}

function findEndpoint({ method, path }: DemoRequest): { endpoint: Endpoint; id: string } {
  const allowed: string[] = [];
  for (const endpoint of endpoints) {
    const id = matchPath(endpoint.path, path);
    if (id === undefined) continue;
    if (endpoint.method === method) return { endpoint, id };
    allowed.push(endpoint.method);
  }
  if (allowed.length === 0) throw notFound(`There is nothing at ${path}.`);
  throw new HttpError(405, 'method_not_allowed', `${method} is not possible here.`, {
    allow: allowed.join(', '),
  });
}

/** Returns the decoded id (empty for a path without one), or undefined if the path does not match. */
function matchPath(pattern: string, path: string): string | undefined {
  const [before = '', after] = pattern.split('{id}');
  if (after === undefined) return path === pattern ? '' : undefined;
  if (!path.startsWith(before) || !path.endsWith(after)) return undefined;
  const segment = path.slice(before.length, path.length - after.length);
  if (segment === '' || segment.includes('/')) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequestError(`The path has a badly encoded part: ${segment}`);
  }
}

/** Rejects a body on a list and a query on a write, which are client errors. */
function requireNoStrayInput(request: DemoRequest, endpoint: Endpoint): void {
  if (endpoint.method === 'GET' && request.body.length > 0) throw badRequestError('A list takes no body.');
  if (endpoint.method !== 'GET' && request.query !== '')
    throw badRequestError('Parameters belong in the body here.');
}
