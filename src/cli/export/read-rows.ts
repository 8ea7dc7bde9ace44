import { createHash } from 'node:crypto';
import { type Dispatcher, fetch } from 'undici';
import { CURSOR_COLUMN } from '../../export/exported-list.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { ExportFailure, failureOf, failureOfResponse } from './failure.ts';
import { wholeLines } from './lines.ts';
import type { ExportQuery } from './plan.ts';

export interface RowSource {
  /** The endpoint of the gateway. */
  readonly url: URL;
  readonly query: ExportQuery;
  readonly token: string;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

export interface Row {
  readonly cursor: string;
  readonly value: { readonly [key: string]: unknown };
}

const NDJSON = 'application/x-ndjson';
/** More of an error is not looked at. */
const MAX_ERROR_CHARACTERS = 100_000;

/** The rows behind a cursor, up to the line that says that there are no more; throws ExportFailure if it does not come. */
export async function* readRows(
  source: RowSource,
  after: string | undefined,
): AsyncGenerator<Row, void, undefined> {
  let rows = 0;
  try {
    for await (const line of wholeLines(await request(source, after))) {
      const value = parseLine(line);
      const { [CURSOR_COLUMN]: cursor, ...row } = value;
      if (typeof cursor !== 'string') return checkEnd(value, rows);
      rows += 1;
      yield { cursor, value: row };
    }
  } catch (error) {
    throw connectionFailure(error, source);
  }
  throw broken('The answer breaks off before its end.');
}

/** Of the line behind the last row. */
function checkEnd({ end, error, rows }: Line, received: number): void {
  if (end !== true && !isObject(error))
    throw broken('The answer has a line that is neither a row with its cursor nor an end.');
  if (rows !== received) {
    const message = `The answer has ${received} rows, and says that they are ${JSON.stringify(rows)}.`;
    throw new ExportFailure(message, { isTransient: true, hasGap: true });
  }
  if (isObject(error)) throw failureOf(error);
}

async function request(source: RowSource, after: string | undefined): Promise<AsyncIterable<Uint8Array>> {
  const { query, token, dispatcher, signal } = source;
  const response = await fetch(exportUrl(source.url, after), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: `${NDJSON}, application/graphql-response+json, application/json`,
    },
    body: bodyOf(query),
    // A redirect would turn the request into a GET, or take the token elsewhere.
    redirect: 'manual',
    dispatcher,
    signal,
  });
  const { status, headers, body } = response;
  if (status === 200 && body && headers.get('content-type')?.startsWith(NDJSON)) return body;
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location)
    throw new ExportFailure(`The address redirects to ${location}: give that one as --url.`);
  const text = await textOf(body);
  const type = headers.get('content-type') ?? 'no type';
  if (status === 200 && !type.includes('json'))
    throw new ExportFailure(`This is no endpoint of a gateway that exports: it answers with ${type}.`);
  throw failureOfResponse(status, headers.get('retry-after'), text);
}

/** A gateway that runs only trusted documents knows them by their hash. */
function bodyOf(query: ExportQuery): string {
  const hash = createHash('sha256').update(query.query).digest('hex');
  return JSON.stringify({ ...query, documentId: `sha256:${hash}` });
}

export function exportUrl(endpoint: URL, after: string | undefined): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}.ndjson`;
  url.searchParams.set('cursor', '1');
  if (after !== undefined) url.searchParams.set('after', after);
  return url;
}

async function textOf(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.length > MAX_ERROR_CHARACTERS) break;
  }
  return text;
}

type Line = { readonly [key: string]: unknown };

function parseLine(line: string): Line {
  const value = parseJson(line);
  if (!isObject(value)) throw broken('The answer has a line that is no JSON object.');
  return value;
}

function broken(message: string): ExportFailure {
  return new ExportFailure(message, { isTransient: true });
}

/** Of undici, whose errors have what happened as their cause. Whoever interrupts the export knows why. */
function connectionFailure(error: unknown, { url, signal }: RowSource): unknown {
  if (signal.aborted || error instanceof ExportFailure || !(error instanceof Error)) return error;
  const cause = error.cause instanceof Error ? error.cause : error;
  const reason = 'code' in cause ? cause.code : cause.message;
  return broken(`The connection to ${url.host} failed: ${String(reason)}.`);
}
