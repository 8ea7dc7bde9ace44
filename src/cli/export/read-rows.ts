import type { Dispatcher } from 'undici';
import { CURSOR_COLUMN } from '../../export/exported-list.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { CommandFailure, failureOf } from '../failure.ts';
import { broken, connectionFailure, type Operation, sendOperation } from '../gateway-request.ts';
import { wholeLines } from './lines.ts';

export interface RowSource {
  /** The endpoint of the gateway. */
  readonly url: URL;
  readonly query: Operation;
  readonly token: string;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

export interface Row {
  readonly cursor: string;
  readonly value: { readonly [key: string]: unknown };
}

const NDJSON = { type: 'application/x-ndjson', does: 'exports' };

/** Rows of an answer are missing, so that none of them can be kept. */
export class MissingRows extends CommandFailure {
  override readonly name = 'MissingRows';
}

/** The rows behind a cursor, up to the line that says that there are no more; throws CommandFailure if it does not come. */
export async function* readRows(
  source: RowSource,
  after: string | undefined,
): AsyncGenerator<Row, void, undefined> {
  let rows = 0;
  try {
    const { url, query: operation } = source;
    const request = { ...source, ...NDJSON, operation, url: exportUrl(url, after) };
    for await (const line of wholeLines(await sendOperation(request))) {
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
    throw new MissingRows(message, { isTransient: true });
  }
  if (isObject(error)) throw failureOf(error);
}

export function exportUrl(endpoint: URL, after: string | undefined): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}.ndjson`;
  url.searchParams.set('cursor', '1');
  if (after !== undefined) url.searchParams.set('after', after);
  return url;
}

type Line = { readonly [key: string]: unknown };

function parseLine(line: string): Line {
  const value = parseJson(line);
  if (!isObject(value)) throw broken('The answer has a line that is no JSON object.');
  return value;
}
