import { CURSOR_COLUMN } from '../../export/exported-list.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { broken, failureOf } from '../failure.ts';
import type { GatewayClient, SentOperation } from '../gateway.ts';
import { cursorIn, type PartPosition, wholeLines } from './part-file.ts';
import type { RowPlan } from './plan-rows.ts';

/** Attempts in a row that may bring no row. */
const MAX_ATTEMPTS = 8;

/**
 * Writes all rows, in as many requests as it takes: each starts behind the last row of the one before. The position moves
 * on with the rows.
 */
export function copyRows(
  gateway: GatewayClient,
  operation: SentOperation,
  { limit, hasCursors }: RowPlan,
  position: PartPosition,
  write: (rows: readonly string[]) => void | Promise<void>,
): Promise<void> {
  const keep = async (rows: readonly string[]) => {
    // The gateway counts `first` in each request anew.
    const wanted = rows.slice(0, limit - position.rows);
    await write(wanted);
    position.rows += wanted.length;
    position.after = cursorIn(wanted.at(-1));
  };
  const attempt = async (comesFurther: () => void) => {
    if (position.rows >= limit) return;
    const url = exportUrl(gateway.url, hasCursors, position.after);
    // Behind groups and totals nothing can go on: they come whole, or anew.
    const all: string[] = [];
    for await (const rows of readRows(await gateway.send(operation, 'application/x-ndjson', url))) {
      if (!hasCursors) all.push(...rows);
      else if (rows.length > 0) {
        await keep(rows);
        comesFurther();
        if (position.rows >= limit) return;
      }
    }
    if (!hasCursors) await keep(all);
  };
  return gateway.retry(attempt, MAX_ATTEMPTS);
}

/** The rows up to the line that says that there are no more; throws CommandFailure if it does not come. */
async function* readRows(body: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  for await (const lines of wholeLines(body)) {
    const end = lines.findIndex((line) => !isRow(line));
    yield end < 0 ? lines : lines.slice(0, end);
    if (end < 0) continue;
    const last = parseJson(lines[end] ?? '');
    if (!isObject(last)) throw broken('The answer has a line that is no JSON object.');
    if (isObject(last.error)) throw failureOf(last.error);
    return;
  }
  throw broken('The answer breaks off before its end.');
}

/** A row may have fields of any name, but nothing else has a cursor. */
function isRow(line: string): boolean {
  const value = parseJson(line);
  return isObject(value) && (CURSOR_COLUMN in value || (value.end !== true && !isObject(value.error)));
}

function exportUrl(endpoint: URL, hasCursors: boolean, after: string | undefined): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}.ndjson`;
  if (hasCursors) url.searchParams.set('cursor', '1');
  if (after !== undefined) url.searchParams.set('after', after);
  return url;
}
