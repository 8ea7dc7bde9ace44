import type { IncomingMessage } from 'node:http';
import { isObject, parseJson } from '../rest/json.ts';

const MAX_BODY_BYTES = 1_000_000;

/** A request that is refused before GraphQL sees it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The JSON object in the body of a POST, read here so that its size and its faults are ours to judge. */
export async function readOperation(request: IncomingMessage): Promise<object> {
  const contentType = request.headers['content-type'];
  if (contentType === undefined) throw badRequest('Send the operation as `Content-Type: application/json`.');
  // A form is what a page of another origin can send without asking first, so no form is read.
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new Refusal(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the operation as `Content-Type: application/json`.',
    );
  }
  const operation = parseJson(await readBody(request));
  if (Array.isArray(operation)) throw badRequest('Send one operation a request: batches are not taken.');
  if (!isObject(operation)) throw badRequest('The body is not a JSON object.');
  if (!('query' in operation)) throw badRequest('The body has no `query`.');
  return operation;
}

/** A GET carries JSON in its parameters. */
export function checkParameters(parameters: URLSearchParams): void {
  for (const name of ['variables', 'extensions']) {
    const text = parameters.get(name);
    if (text && parseJson(text) === undefined) throw badRequest(`\`${name}\` is not JSON.`);
  }
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= MAX_BODY_BYTES) return;
      request.removeAllListeners('data').pause();
      const limit = `The body is larger than ${MAX_BODY_BYTES} bytes.`;
      reject(new Refusal(413, 'PAYLOAD_TOO_LARGE', limit, { Connection: 'close' }));
    });
    request.once('end', () => resolve(Buffer.concat(chunks, size).toString('utf8')));
    request.once('error', reject);
  });
}

function badRequest(message: string): Refusal {
  return new Refusal(400, 'BAD_REQUEST', message);
}
