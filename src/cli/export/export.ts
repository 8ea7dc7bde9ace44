import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CommandOptions } from '../arguments.ts';
import { type CommandContext, INTERRUPTED, isBrokenPipe } from '../context.ts';
import { CommandFailure, reasonOf, sentenceOf, UsageError } from '../failure.ts';
import { readGatewayUrl, type SentOperation } from '../gateway-request.ts';
import { openGateway } from '../gateway-session.ts';
import { copyRows } from './copy-rows.ts';
import { csvFormat, NDJSON_FORMAT, RowOutput, resumePosition, START } from './output.ts';
import { convertToParquet, loadParquet } from './parquet.ts';
import { planRows } from './plan-rows.ts';

type ExportOptions = CommandOptions<'export'>;

/** Where nobody watches, a line now and then is enough for a log. */
const TERMINAL_INTERVAL_MS = 250;
const LOG_INTERVAL_MS = 10_000;

/** Writes the list of a query to a file, and returns the exit status. */
export async function runExport(options: ExportOptions, context: CommandContext): Promise<number> {
  const { stdout, stderr } = context;
  const { out, format, csv, isCompressed, resume, quiet } = options;
  const operation = readQuery(options);
  const plan = planRows(operation);
  const url = readGatewayUrl(options.url, context.env);
  if (out !== undefined) checkWritable(out);
  if (out !== undefined && resume && existsSync(out) && !existsSync(`${out}.part`)) {
    stderr.write(`${out} is finished: leave out --resume to export it anew, and to replace it.\n`);
    return 0;
  }
  const parquet = format === 'parquet' ? await loadParquet() : undefined;
  // A hash, since variables may be private.
  const identity = createHash('sha256')
    .update(JSON.stringify([operation, url, format, isCompressed, csv, plan.columns]))
    .digest('base64url');
  const part = out === undefined ? undefined : { path: `${out}.part`, isCompressed, identity };
  const start = part && resume && plan.hasCursors ? resumePosition(part) : START;
  const output = new RowOutput(
    format === 'csv' ? csvFormat(plan, csv) : NDJSON_FORMAT,
    part ?? stdout,
    start,
  );
  // A list that the gateway filters is read as a whole before its first row comes.
  const gateway = await openGateway(url, quiet, { headersTimeout: 0 }, context);
  const { notes, signal, dispatcher } = gateway;

  if (output.rows > 0) notes.note(`Goes on behind ${count(output.rows)} rows.`);
  const progress = () => `${count(output.rows)} rows`;
  const interval = stderr.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS;
  const timer = quiet ? undefined : setInterval(() => notes.progress(progress()), interval);
  try {
    await copyRows({ ...gateway, ...plan, operation }, output);
    await output.flush(true);
    if (part && out) {
      if (parquet) await convertToParquet(parquet, plan, { part: part.path, file: `${out}.new`, signal });
      renameSync(parquet ? `${out}.new` : part.path, out);
      for (const path of [part.path, `${part.path}.json`]) rmSync(path, { force: true });
    }
    notes.note(`${out ?? 'Done'}: ${progress()}`);
    return 0;
  } catch (error) {
    // A reader such as `head` closes the pipe when it has enough, and needs no words.
    if (!part && isBrokenPipe(error)) return 1;
    const reason = signal.aborted ? 'Interrupted.' : sentenceOf(reasonOf(error));
    const { rows } = await output.flush().catch(() => output.written);
    const kept = part
      ? `${part.path} has ${count(rows)} rows: the same command with --resume goes on behind them.`
      : `${count(rows)} rows were written. Only the export to a file can be resumed.`;
    notes.say(`${reason} ${rows > 0 ? kept : 'No row was written.'}`);
    if (signal.aborted) return INTERRUPTED;
    // A query that only the gateway refuses is wrong too.
    return error instanceof CommandFailure && error.status === 2 ? 2 : 1;
  } finally {
    clearInterval(timer);
    await dispatcher.destroy();
  }
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function readQuery({ document, variables, operation: operationName }: ExportOptions): SentOperation {
  try {
    // Trusted documents, which are known by their hash, end without a line end.
    return { query: readFileSync(document, 'utf8').trimEnd(), variables, operationName };
  } catch {
    throw new UsageError(`export takes a file that can be read, not '${document}'`);
  }
}

/** A device or a pipe would be replaced by a file. */
function checkWritable(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== false) return;
  } catch {
    // Below.
  }
  throw new UsageError(`--out takes a file that can be written, not '${path}'`);
}
