import { type Dispatcher, Pool } from 'undici';
import { RestError, type Upstream } from './errors.ts';
import { refusal } from './refusal.ts';

export interface RestRequest {
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** Below the service's base address; encoded, as the query is. */
  readonly path: string;
  readonly query?: string;
  readonly body?: { readonly type: string; readonly text: string };
}

export interface RestResponse {
  readonly status: number;
  readonly body: unknown;
  readonly bytes: number;
}

export interface RestClientOptions {
  readonly url: URL;
  /** For one call, from the first byte sent to the last byte read. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
}

export interface RestClient {
  /** The length of the part of each URL that every call shares, for those who keep URLs short. */
  readonly baseLength: number;
  send(request: RestRequest, authorization: string, caller?: AbortSignal): Promise<RestResponse>;
  close(): Promise<void>;
}

/** HTTP to the one configured origin: no redirect is followed, so no credential can go elsewhere. */
export function createRestClient({ url, timeoutMs, maxResponseBytes }: RestClientOptions): RestClient {
  const pool = new Pool(url.origin, { connections: 128, headersTimeout: 0, bodyTimeout: 0 });
  const prefix = url.pathname.replace(/\/+$/, '');

  return {
    baseLength: url.origin.length + prefix.length,

    async send(request, authorization, caller) {
      const upstream: Upstream = { method: request.method, path: request.path };
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = caller ? AbortSignal.any([deadline, caller]) : deadline;
      const failed = (cause: unknown, otherwise: RestError) => {
        if (cause instanceof RestError) return cause;
        if (deadline.aborted || isTimeout(caller)) {
          return new RestError('UPSTREAM_TIMEOUT', 'The REST service did not answer in time.', {
            upstream,
            cause,
          });
        }
        return otherwise;
      };

      let response: Dispatcher.ResponseData;
      try {
        response = await pool.request({
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
        throw failed(
          cause,
          new RestError('UPSTREAM_UNAVAILABLE', 'The REST service cannot be reached.', { upstream, cause }),
        );
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
        throw refusal({ ...upstream, status }, body, headers['retry-after'], authorization);
      }
      if (body === undefined) throw invalid({ ...upstream, status }, 'an answer that is not JSON');
      return { status, body, bytes: Buffer.byteLength(text) };
    },

    close: () => pool.close(),
  };
}

/** The service broke its own contract; the answer itself is never shown. */
export function invalid(upstream: Upstream, what: string, cause?: unknown): RestError {
  return new RestError('UPSTREAM_INVALID_RESPONSE', `The REST service gave ${what}.`, { upstream, cause });
}

function isTimeout(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
}

function isJson(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && /^application\/(\w+\+)?json\b/i.test(contentType);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
