import { setTimeout } from 'node:timers/promises';
import { CURSOR_COLUMN } from '../../export/exported-list.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { broken, CommandFailure, failureOf, sentenceOf } from '../failure.ts';
import {
  connectionFailure,
  NOBODY_THERE,
  type SentOperation,
  sendOperation,
  waitAfter,
} from '../gateway-request.ts';
import type { GatewaySession } from '../gateway-session.ts';
import type { ExportedRow, RowOutput } from './output.ts';
import type { RowPlan } from './plan-rows.ts';

interface RowSource extends GatewaySession, Pick<RowPlan, 'hasCursors' | 'limit'> {
  readonly operation: SentOperation;
}

/** Attempts in a row that may bring no row. */
const MAX_ATTEMPTS = 8;
/** A gateway that asks for more than this is not waited for. */
const MAX_RETRY_AFTER_MS = 300_000;

/** Writes all rows, in as many requests as it takes: each starts behind the last row of the one before. */
export async function copyRows(source: RowSource, output: RowOutput): Promise<void> {
  let attempts = 0;
  for (;;) {
    const start = await output.flush();
    try {
      if (start.rows >= source.limit) return;
      const rows = readRows(source, start.after);
      // Behind groups and totals nothing can go on: they come whole, or anew.
      for await (const row of source.hasCursors ? rows : await allOf(rows)) {
        await output.add(row);
        // The gateway counts `first` in each request anew.
        if (output.rows >= source.limit) return;
      }
      return;
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      if (attempts === 0 && error.code === NOBODY_THERE) throw error;
      attempts = output.rows > start.rows ? 1 : attempts + 1;
      const waitMs = Math.max(error.retryAfterMs, waitAfter(attempts, source.firstWaitMs));
      if (!error.isTransient || attempts >= MAX_ATTEMPTS || waitMs > MAX_RETRY_AFTER_MS) throw error;
      source.notes.note(`${sentenceOf(error.message)} Tries again in ${Math.ceil(waitMs / 1_000)} s.`);
      await setTimeout(waitMs, undefined, { signal: source.signal });
    }
  }
}

async function allOf(rows: AsyncIterable<ExportedRow>): Promise<ExportedRow[]> {
  const all: ExportedRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** The rows behind a cursor, up to the line that says that there are no more; throws CommandFailure if it does not come. */
async function* readRows(source: RowSource, after: string | undefined): AsyncGenerator<ExportedRow> {
  try {
    const wanted = { type: 'application/x-ndjson', url: exportUrl(source, after) };
    for await (const line of wholeLines(await sendOperation({ ...source, ...wanted }))) {
      const value = parseJson(line);
      if (!isObject(value)) throw broken('The answer has a line that is no JSON object.');
      const { [CURSOR_COLUMN]: cursor, ...row } = value;
      const isRow = source.hasCursors
        ? typeof cursor === 'string'
        : value.end !== true && !isObject(value.error);
      if (!isRow) return checkEnd(value);
      yield { cursor: typeof cursor === 'string' ? cursor : undefined, value: row };
    }
  } catch (error) {
    throw connectionFailure(error, source);
  }
  throw broken('The answer breaks off before its end.');
}

/** Of the line behind the last row. */
function checkEnd({ end, error }: { readonly [key: string]: unknown }): void {
  if (isObject(error)) throw failureOf(error);
  if (end !== true) throw broken('The answer has a line that is neither a row with its cursor nor an end.');
}

function exportUrl({ url: endpoint, hasCursors }: RowSource, after: string | undefined): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}.ndjson`;
  if (hasCursors) url.searchParams.set('cursor', '1');
  if (after !== undefined) url.searchParams.set('after', after);
  return url;
}

/** Lines that end as such; what stands behind the last line end was cut off. */
export async function* wholeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let line = '';
  for await (const chunk of bytes) {
    // Other characters that end a line for some, such as U+2028, may stand in JSON.
    const [end = '', ...starts] = decoder.decode(chunk, { stream: true }).split('\n');
    line += end;
    for (const start of starts) {
      yield line;
      line = start;
    }
  }
}
