import { existsSync, readFileSync, statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Agent } from 'undici';
import type { CommandOptions } from '../arguments.ts';
import {
  type CommandContext,
  INTERRUPTED,
  interruptBySignals,
  isBrokenPipe,
  refuseIfClosed,
  terminalOf,
} from '../context.ts';
import { reasonOf, sentenceWithout, UsageError } from '../failure.ts';
import { isReadableByOthers, readGatewayUrl, type SentOperation } from '../gateway-request.ts';
import { readToken } from '../token.ts';
import { copyRows, planRows, type RowOutput, type RowPlan, type RowSource } from './copy-rows.ts';
import { count, createExportProgress, createStandardOutput, csvFormat, NDJSON_FORMAT } from './output.ts';
import { convertToParquet, loadParquet } from './parquet.ts';
import { type ExportIdentity, fileHash, PartFile, partPath } from './part-file.ts';

type ExportOptions = CommandOptions<'export'>;

/** Writes the list of a query to a file, and returns the exit status. */
export async function runExport(options: ExportOptions, context: CommandContext): Promise<number> {
  const { env, stderr } = context;
  // It goes on where nobody can be told of it.
  stderr.on('error', () => {});
  const query = readQuery(options);
  const plan = planRows(query);
  const url = readGatewayUrl(options.url, env);
  if (options.out !== undefined && options.resume && isFinished(options.out)) {
    stderr.write(`${options.out} is finished: leave out --resume to export it anew, and to replace it.\n`);
    return 0;
  }
  const interruption = new AbortController();
  const { signal } = interruption;
  const output = await openOutput(options, plan, { query, url, signal }, context);
  // Last, so that nobody types a token for an export that then lacks something else.
  const token = await readToken(env, url.host, terminalOf(context));

  interruptBySignals(interruption, context);
  const progress = createExportProgress(stderr, () => output.rows, options.quiet);
  const sentenceOf = (text: string) => sentenceWithout(token, text);
  if (output.rows > 0) progress.note(`Goes on behind ${count(output.rows)} rows.`);
  if (isReadableByOthers(url))
    progress.note('The token and the rows travel unencrypted: use https:// where you can.');
  // A list that the gateway filters is read as a whole before its first row comes.
  const dispatcher = new Agent({ headersTimeout: 0 });
  try {
    await copyRows({ url, query, token, dispatcher, signal, ...plan }, output, {
      onRetry: ({ message }, waitMs) =>
        progress.note(`${sentenceOf(message)} Tries again in ${Math.ceil(waitMs / 1_000)} s.`),
    });
    await output.complete();
    progress.note(`${options.out ?? 'Done'}: ${progress.summary()}`);
    return 0;
  } catch (error) {
    // A reader such as `head` closes the pipe when it has enough, and needs no words.
    if (options.out === undefined && isBrokenPipe(error)) return 1;
    const reason = signal.aborted ? 'Interrupted.' : sentenceOf(reasonOf(error));
    progress.say(`${reason} ${await output.keep()}`);
    return signal.aborted ? INTERRUPTED : 1;
  } finally {
    progress.end();
    await dispatcher.destroy();
  }
}

/** A file has its name once it is whole. */
function isFinished(out: string): boolean {
  return statSync(out, { throwIfNoEntry: false })?.isFile() === true && !existsSync(partPath(out));
}

function readQuery({ document, variables, operation: operationName }: ExportOptions): SentOperation {
  try {
    // Trusted documents, which are known by their hash, end without a line end.
    return { query: readFileSync(document, 'utf8').trimEnd(), variables, operationName };
  } catch {
    throw new UsageError(`export takes a file that can be read, not '${document}'`);
  }
}

async function openOutput(
  options: ExportOptions,
  plan: RowPlan,
  { query, url, signal }: Pick<RowSource, 'query' | 'url' | 'signal'>,
  { stdout }: CommandContext,
): Promise<RowOutput> {
  const { out, format: name, csv, isCompressed } = options;
  const format = name === 'csv' ? csvFormat(plan, csv) : NDJSON_FORMAT;
  if (out === undefined) {
    refuseIfClosed(stdout, 'rows');
    return createStandardOutput(stdout, format);
  }
  await checkWritable(out);
  const parquet = name === 'parquet' ? await loadParquet() : undefined;
  const identity: ExportIdentity = {
    document: fileHash([query.query, query.operationName]),
    variables: fileHash(query.variables),
    url: url.href,
    format: fileHash([name, isCompressed, csv, plan.columns]),
  };
  return PartFile.open({
    path: out,
    format,
    isCompressed,
    identity,
    resumes: options.resume && plan.hasCursors,
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
