import {
  badRequestError,
  type DemoRequest,
  type DemoResponse,
  HttpError,
  jsonResponse,
  notFound,
} from './http.ts';
import { listEndpoints } from './lists.ts';
import { writeEndpoints } from './mutations.ts';
import { tokenEndpoints } from './oauth.ts';
import type { Endpoint, World } from './world.ts';

/** A length that common proxies accept; clients have to split longer lists. */
const TARGET_LIMIT = 4_096;

const endpoints: readonly Endpoint[] = [...listEndpoints, ...writeEndpoints, ...tokenEndpoints];

export function handleRequest(request: DemoRequest, world: World): DemoResponse {
  try {
    const { path, query, body } = request;
    if (path.length + query.length > TARGET_LIMIT) {
      throw new HttpError(414, 'uri_too_long', `The address may have ${TARGET_LIMIT} bytes.`);
    }
    const { endpoint, id } = findEndpoint(request);
    if (endpoint.method === 'GET' && body.length > 0) throw badRequestError('A list takes no body.');
    if (endpoint.method !== 'GET' && query !== '')
      throw badRequestError('Parameters belong in the body here.');
    return jsonResponse(200, endpoint.handle(request, world, id));
  } catch (error) {
    if (error instanceof HttpError) return error.response;
    throw error;
  }
}

function findEndpoint({ method, path }: DemoRequest): { endpoint: Endpoint; id: string } {
  for (const endpoint of endpoints) {
    const [isHere, id = ''] = new RegExp(`^${endpoint.path.replace('{id}', '([^/]+)')}$`).exec(path) ?? [];
    if (isHere === undefined) continue;
    if (endpoint.method === method) return { endpoint, id: decode(id) };
    const headers = { allow: endpoint.method };
    throw new HttpError(405, 'method_not_allowed', `${method} is not possible here.`, headers);
  }
  throw notFound(`There is nothing at ${path}.`);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequestError(`The path has a badly encoded part: ${segment}`);
  }
}
