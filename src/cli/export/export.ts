import { existsSync, readFileSync, statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Agent } from 'undici';
import type { ExportOptions } from '../export-options.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { copyRows } from './copy-rows.ts';
import { ExportFailure } from './failure.ts';
import { csvFormat, NDJSON_FORMAT } from './formats.ts';
import type { Output } from './output.ts';
import { convertToParquet, loadParquet } from './parquet.ts';
import { PartFile, partPath } from './part-file.ts';
import { type ExportIdentity, hashOf, PartState } from './part-state.ts';
import { type ExportQuery, planRows, type RowPlan } from './plan.ts';
import { count, ExportProgress } from './progress.ts';
import { isClosed, StandardOutput } from './standard-output.ts';
import { readToken } from './token.ts';

const DEFAULT_URL = 'http://localhost:4000/graphql';
const INTERRUPTED = 130;

/** Writes the list of a query to a file, and sets the exit status. */
export async function runExport(options: ExportOptions): Promise<void> {
  // Set first, so that the status is 1 however the command ends before the last line.
  process.exitCode = 1;
  // An export goes on where nobody can be told of it.
  process.stderr.on('error', () => {});
  try {
    process.exitCode = await exportRows(options);
  } catch (error) {
    if (!(error instanceof ExportFailure)) throw error;
    console.error(error.message);
    process.exitCode = error.status;
  }
}

async function exportRows(options: ExportOptions): Promise<number> {
  const query = readQuery(options);
  const plan = planRows(query);
  const url = readUrl(options.url ?? (process.env.RECEIVABLES_URL || DEFAULT_URL));
  if (options.out !== undefined && options.resume && isFinished(options.out)) {
    console.error(`${options.out} is finished: leave out --resume to export it anew, and to replace it.`);
    return 0;
  }
  const interruption = new AbortController();
  const { signal } = interruption;
  const output = await openOutput(options, { plan, query, url, signal });
  // Last, so that nobody types a token for an export that then lacks something else.
  const token = await readToken(process.env, url.host, process.stdin.isTTY ? TERMINAL : undefined);

  interruptBySignals(interruption);
  const progress = new ExportProgress(process.stderr, () => output.rows, options.quiet);
  const sentenceOf = (text: string) => withFullStop(text.replaceAll(token, '***'));
  if (output.rows > 0) progress.note(`Goes on behind ${count(output.rows)} rows.`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    progress.note('The token and the rows travel unencrypted: use https:// where you can.');
  // A list that the gateway filters is read as a whole before its first row comes.
  const dispatcher = new Agent({ headersTimeout: 0 });
  try {
    await copyRows({ url, query, token, dispatcher, signal }, plan, output, {
      onRetry: ({ message }, waitMs) =>
        progress.note(`${sentenceOf(message)} Tries again in ${Math.ceil(waitMs / 1_000)} s.`),
    });
    await output.complete();
    progress.note(`${options.out ?? 'Done'}: ${progress.summary()}`);
    return 0;
  } catch (error) {
    // A reader such as `head` closes the pipe when it has enough, and needs no words.
    if (options.out === undefined && Object(error).code === 'EPIPE') return 1;
    const reason = signal.aborted ? 'Interrupted.' : sentenceOf(reasonOf(error));
    progress.say(`${reason} ${await output.keep()}`);
    return signal.aborted ? INTERRUPTED : 1;
  } finally {
    progress.end();
    await dispatcher.destroy();
  }
}

/** While it is asked for the token; nothing is written then. */
const TERMINAL: Terminal = {
  input: process.stdin,
  output: process.stderr,
  interrupt: () => process.exit(INTERRUPTED),
};

/** A second one ends it at once: what is written can be resumed at any moment. */
function interruptBySignals(interruption: AbortController): void {
  const interrupt = () => (interruption.signal.aborted ? process.exit(INTERRUPTED) : interruption.abort());
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupt);
}

/** Of a failure, or of the file system; anything else is a fault of this program, and shown with its stack. */
function reasonOf(error: unknown): string {
  if (error instanceof ExportFailure || (error instanceof Error && 'syscall' in error)) return error.message;
  throw error;
}

function withFullStop(text: string): string {
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

/** A file has its name once it is whole. */
function isFinished(out: string): boolean {
  return statSync(out, { throwIfNoEntry: false })?.isFile() === true && !existsSync(partPath(out));
}

function readQuery({ document, variables, operation: operationName }: ExportOptions): ExportQuery {
  try {
    // Trusted documents, which are known by their hash, end without a line end.
    return { query: readFileSync(document, 'utf8').trimEnd(), variables, operationName };
  } catch {
    throw new UsageError(`export takes a file that can be read, not '${document}'`);
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new UsageError(`--url takes the address of a gateway, such as ${DEFAULT_URL}`);
  url.hash = '';
  return url;
}

interface OutputContext {
  readonly plan: RowPlan;
  readonly query: ExportQuery;
  readonly url: URL;
  readonly signal: AbortSignal;
}

async function openOutput(
  options: ExportOptions,
  { plan, query, url, signal }: OutputContext,
): Promise<Output> {
  const { out, format: name, csv, isCompressed } = options;
  const format = name === 'csv' ? csvFormat(plan, csv) : NDJSON_FORMAT;
  if (out === undefined) {
    if (isClosed(process.stdout.fd))
      throw new ExportFailure('Standard output is closed or discarded: the rows would be lost.');
    return new StandardOutput(process.stdout, format);
  }
  await checkWritable(out);
  const parquet = name === 'parquet' ? await loadParquet() : undefined;
  const identity: ExportIdentity = {
    document: hashOf([query.query, query.operationName]),
    variables: hashOf(query.variables),
    url: url.href,
    format: hashOf([name, isCompressed, csv, plan.columns]),
  };
  const start = await new PartState(partPath(out), identity).start(options.resume);
  return new PartFile({
    path: out,
    format,
    isCompressed,
    identity,
    start,
    ...(parquet && {
      convert: (part, file) => convertToParquet(parquet, plan, { part, file, signal }),
    }),
  });
}

async function checkWritable(path: string): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK);
    const found = statSync(path, { throwIfNoEntry: false });
    // A device or a pipe would be replaced by a file.
    if (!found || found.isFile()) return;
  } catch {
    // Below.
  }
  throw new UsageError(`--out takes a file that can be written, not '${path}'`);
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
