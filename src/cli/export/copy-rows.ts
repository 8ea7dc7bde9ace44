import { setTimeout } from 'node:timers/promises';
import { GraphQLError, parse, validate } from 'graphql';
import { planOperation } from '../../execution/operation.ts';
import { givenFirst } from '../../export/export-plan.ts';
import { CURSOR_COLUMN, findExportedList } from '../../export/exported-list.ts';
import { RestError } from '../../rest/errors.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { schema } from '../../schema/index.ts';
import { CommandFailure, failureOf, wrongInput } from '../failure.ts';
import {
  BY_THIS_SCHEMA,
  broken,
  connectionFailure,
  type GatewayTarget,
  NOBODY_THERE,
  type SentOperation,
  sendOperation,
  waitAfter,
} from '../gateway-request.ts';

/** What the document tells about the rows before any has come. */
export type RowPlan = Readonly<ReturnType<typeof planRows>>;

/** Reads the document as the gateway does, against the schema of this version. */
export function planRows({ query, variables, operationName }: SentOperation) {
  try {
    const document = parse(query);
    const [problem] = validate(schema, document);
    if (problem) throw wrongInput(`${sentenceOf(problem)} ${BY_THIS_SCHEMA}`);
    const planned = planOperation({ schema, document, variableValues: variables, operationName });
    const { columns, list, rows, isPaged } = findExportedList(planned, false);
    return {
      // In the order of the document. A row of NDJSON is the node itself, also where the document asks for edges.
      columns: columns.map((column) => ({ ...column, path: column.name.split('.') })),
      /** The most rows that the document asks for, however many requests they take. */
      limit: givenFirst(isPaged ? list : rows, planned.variables) ?? Number.POSITIVE_INFINITY,
      /** Without cursors, as groups and totals are, an export that breaks off starts anew. */
      hasCursors: isPaged,
    };
  } catch (thrown) {
    // Of several, one is enough to begin with.
    const error: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
    if (!(error instanceof GraphQLError || error instanceof RestError)) throw error;
    throw wrongInput(sentenceOf(error));
  }
}

function sentenceOf(error: Error): string {
  const [place] = error instanceof GraphQLError ? (error.locations ?? []) : [];
  return place ? `${error.message} At line ${place.line}, column ${place.column}.` : error.message;
}

export interface RowSource extends GatewayTarget, Pick<RowPlan, 'hasCursors' | 'limit'> {
  readonly query: SentOperation;
  readonly token: string;
}

export interface ExportedRow {
  /** Undefined for groups and totals. */
  readonly cursor: string | undefined;
  readonly value: { readonly [key: string]: unknown };
}

/** The code of an answer of which rows are missing, so that none of them can be kept. */
const ROWS_MISSING = 'ROWS_MISSING';

/** The rows behind a cursor, up to the line that says that there are no more; throws CommandFailure if it does not come. */
async function* readRows(
  source: RowSource,
  after: string | undefined,
): AsyncGenerator<ExportedRow, void, undefined> {
  let rows = 0;
  try {
    const { query: operation, hasCursors } = source;
    const wanted = { type: 'application/x-ndjson', does: 'exports', url: exportUrl(source, after) };
    for await (const line of wholeLines(await sendOperation({ ...source, ...wanted, operation }))) {
      const value = parseJson(line);
      if (!isObject(value)) throw broken('The answer has a line that is no JSON object.');
      const { [CURSOR_COLUMN]: cursor, ...row } = value;
      const isRow = hasCursors ? typeof cursor === 'string' : value.end !== true && !isObject(value.error);
      if (!isRow) return checkEnd(value, rows);
      rows += 1;
      yield { cursor: typeof cursor === 'string' ? cursor : undefined, value: row };
    }
  } catch (error) {
    throw connectionFailure(error, source);
  }
  throw broken('The answer breaks off before its end.');
}

/** Of the line behind the last row. */
function checkEnd({ end, error, rows }: { readonly [key: string]: unknown }, received: number): void {
  if (end !== true && !isObject(error))
    throw broken('The answer has a line that is neither a row with its cursor nor an end.');
  if (rows !== received) {
    const message = `The answer has ${received} rows, and says that they are ${JSON.stringify(rows)}.`;
    throw broken(message, ROWS_MISSING);
  }
  if (isObject(error)) throw failureOf(error);
}

function exportUrl({ url: endpoint, hasCursors }: RowSource, after: string | undefined): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}.ndjson`;
  if (hasCursors) url.searchParams.set('cursor', '1');
  if (after !== undefined) url.searchParams.set('after', after);
  return url;
}

/** How far an export has come. */
export interface WrittenPosition {
  /** The cursor of the last row; undefined before the first. */
  readonly after: string | undefined;
  readonly rows: number;
  /** Of the output, where it is a file: what stands behind them is not counted yet. */
  readonly bytes: number;
}

export const START: WrittenPosition = { after: undefined, rows: 0, bytes: 0 };

/** Where the rows of an export go. */
export interface RowOutput {
  /** With those that are not written yet. */
  readonly rows: number;
  /** Undefined where there is nothing to wait for. */
  add(row: ExportedRow): Promise<unknown> | undefined;
  /** Writes what has been added. */
  flush(): Promise<WrittenPosition>;
  /** Takes back what came behind a position that `flush` has returned. */
  rollBack(position: WrittenPosition): Promise<void>;
  /** All rows are there. */
  complete(): Promise<unknown>;
  /** They are not, and perhaps never will be. Returns a sentence on what is left. */
  keep(): Promise<string>;
}

/** Attempts in a row that may bring no row. */
const MAX_ATTEMPTS = 8;
/** A gateway that asks for more than this is not waited for. */
const MAX_RETRY_AFTER_MS = 300_000;

export interface CopyOptions {
  /** Called before each further attempt. */
  readonly onRetry: (failure: CommandFailure, waitMs: number) => void;
  readonly firstWaitMs?: number;
}

/** Writes all rows, in as many requests as it takes: each starts behind the last row of the one before. */
export async function copyRows(
  source: RowSource,
  output: RowOutput,
  { onRetry, firstWaitMs }: CopyOptions,
): Promise<void> {
  let attempts = 0;
  for (;;) {
    const start = await output.flush();
    if (start.rows >= source.limit) return;
    try {
      for await (const row of readRows(source, start.after)) {
        // It would count as a new one, and so be asked for without end.
        if (source.hasCursors && row.cursor === start.after)
          throw broken('The answer begins with the last row of the one before.');
        await output.add(row);
        // The gateway counts `first` in each request anew.
        if (output.rows >= source.limit) return;
      }
      return;
    } catch (error) {
      if (Object(error).code === ROWS_MISSING || !source.hasCursors) await output.rollBack(start);
      if (!(error instanceof CommandFailure)) throw error;
      if (attempts === 0 && error.code === NOBODY_THERE) throw error;
      attempts = output.rows > start.rows ? 1 : attempts + 1;
      const waitMs = Math.max(error.retryAfterMs, waitAfter(attempts, firstWaitMs));
      if (!error.isTransient || attempts >= MAX_ATTEMPTS || waitMs > MAX_RETRY_AFTER_MS) throw error;
      onRetry(error, waitMs);
      await setTimeout(waitMs, undefined, { signal: source.signal });
    }
  }
}

/** The gateway refuses rows of 1,000,000 characters; what never ends must not fill the memory. */
const MAX_LINE_LENGTH = 10_000_000;

/** Lines that end as such; what stands behind the last line end was cut off. */
export async function* wholeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
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
    if (line.length > MAX_LINE_LENGTH)
      throw broken(`A line has more than ${MAX_LINE_LENGTH} characters.`, 'LINE_TOO_LONG');
  }
}
