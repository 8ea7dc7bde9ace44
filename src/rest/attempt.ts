import type { Dispatcher } from 'undici';
import { invalid, RestError, type Upstream } from './errors.ts';
import { parseJson } from './json.ts';
import { refusal } from './refusal.ts';

export interface RestRequest {
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** Below the service's base address; encoded, as the query is. */
  readonly path: string;
  readonly query?: string;
  readonly body?: { readonly type: string; readonly text: string; readonly secrets?: readonly string[] };
}

export interface RestResponse {
  readonly status: number;
  readonly body: unknown;
  readonly bytes: number;
}

export interface Attempt {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  /** The path of the service's base address. */
  readonly prefix: string;
  readonly request: RestRequest;
  readonly authorization: string;
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal;
  /** What to say where the signal has ended the exchange. */
  readonly ended: (cause: unknown) => RestError;
}

/** One HTTP exchange. No redirect is followed, so no credential can go elsewhere. */
export async function attempt(options: Attempt): Promise<RestResponse> {
  const { dispatcher, origin, prefix, request, authorization, maxResponseBytes, signal, ended } = options;
  const upstream: Upstream = { method: request.method, path: request.path };
  const failed = (cause: unknown, otherwise: RestError) => (signal.aborted ? ended(cause) : otherwise);

  let response: Dispatcher.ResponseData;
  try {
    response = await dispatcher.request({
      origin,
      method: request.method,
      path: prefix + request.path + (request.query ? `?${request.query}` : ''),
      headers: {
        accept: 'application/json',
        authorization,
        ...(request.body && { 'content-type': request.body.type }),
      },
      body: request.body?.text ?? null,
      signal,
    });
  } catch (cause) {
    const unreachable = 'The REST service cannot be reached.';
    throw failed(cause, new RestError('UPSTREAM_UNAVAILABLE', unreachable, { upstream, cause }));
  }

  const { statusCode: status, headers } = response;
  let text: string;
  try {
    text = await readText(response.body, maxResponseBytes);
  } catch (cause) {
    throw failed(cause, invalid({ ...upstream, status }, 'an incomplete or too large answer', cause));
  }
  const body = isJson(headers['content-type']) ? parseJson(text) : undefined;
  if (status < 200 || status > 299) {
    throw refusal({ ...upstream, status }, body, headers['retry-after'], secretsIn(request, authorization));
  }
  if (body === undefined) throw invalid({ ...upstream, status }, 'an answer that is not JSON');
  return { status, body, bytes: Buffer.byteLength(text) };
}

/** What an answer must not quote back to a caller. */
function secretsIn({ body }: RestRequest, authorization: string): string[] {
  const credential = authorization.replace(/^\S+ +/, '');
  const [, clientSecret = ''] = Buffer.from(credential, 'base64').toString().split(/:(.*)/s);
  return [credential, clientSecret, ...(body?.secrets ?? [])].filter((secret) => secret !== '');
}

async function readText(body: AsyncIterable<Buffer>, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw new Error(`more than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}

function isJson(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && /^application\/(\w+\+)?json\b/i.test(contentType);
}
