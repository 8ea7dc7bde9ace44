import { CURSOR_COLUMN } from '../../export/exported-list.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { broken, failureOf } from '../failure.ts';
import type { GatewayClient, SentOperation } from '../gateway.ts';
import { cursorIn, type PartPosition, wholeLines } from './part-file.ts';
import type { RowPlan } from './plan-rows.ts';

/** Attempts in a row that may bring no row. */
const MAX_ATTEMPTS = 8;

interface RowSource {
  readonly gateway: GatewayClient;
  readonly url: URL;
  readonly operation: SentOperation;
  readonly plan: RowPlan;
}

/** Writes all rows, in as many requests as it takes: each starts behind the last row of the one before. */
export function copyRows(
  source: RowSource,
  start: PartPosition,
  write: (rows: readonly string[]) => Promise<void>,
): Promise<void> {
  const { limit, hasCursors } = source.plan;
  let { after, rows: count } = start;
  return source.gateway.retry(async (comesFurther) => {
    // The gateway counts `first` in each request anew.
    if (count >= limit) return;
    const all: string[] = [];
    for await (const rows of readRows(source, after)) {
      if (!hasCursors) all.push(...rows);
      else if (rows.length > 0) {
        const wanted = rows.slice(0, limit - count);
        await write(wanted);
        after = cursorIn(wanted.at(-1));
        count += wanted.length;
        comesFurther();
        if (count >= limit) return;
      }
    }
    // Behind groups and totals nothing can go on: they come whole, or anew.
    if (!hasCursors) await write(all.slice(0, limit));
  }, MAX_ATTEMPTS);
}

/** The rows behind a cursor, up to the line that says that there are no more; throws CommandFailure if it does not come. */
async function* readRows(source: RowSource, after: string | undefined): AsyncGenerator<string[]> {
  const { gateway, operation, plan } = source;
  const body = await gateway.send(operation, 'application/x-ndjson', exportUrl(source, after));
  for await (const lines of wholeLines(body)) {
    const end = lines.findIndex((line) => !isRow(line, plan));
    yield end < 0 ? lines : lines.slice(0, end);
    if (end >= 0) return checkEnd(parseJson(lines[end] ?? ''));
  }
  throw broken('The answer breaks off before its end.');
}

function isRow(line: string, { hasCursors }: RowPlan): boolean {
  const value = parseJson(line);
  if (hasCursors) return isObject(value) && typeof value[CURSOR_COLUMN] === 'string';
  return isObject(value) && value.end !== true && !isObject(value.error);
}

/** Of the line behind the last row. */
function checkEnd(line: unknown): void {
  if (!isObject(line)) throw broken('The answer has a line that is no JSON object.');
  if (isObject(line.error)) throw failureOf(line.error);
  if (line.end !== true)
    throw broken('The answer has a line that is neither a row with its cursor nor an end.');
}

function exportUrl({ url: endpoint, plan }: RowSource, after: string | undefined): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}.ndjson`;
  if (plan.hasCursors) url.searchParams.set('cursor', '1');
  if (after !== undefined) url.searchParams.set('after', after);
  return url;
}
