import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { tryReadFile } from '../../config/setting.ts';
import { createRowFormat } from '../../export/csv.ts';
import type { Runner } from '../arguments.ts';
import { CommandFailure, describeFailure, UsageError } from '../failure.ts';
import { openGateway, readGatewayUrl } from '../gateway.ts';
import { INTERRUPTED, isBrokenPipe, toSentence, writeText } from '../terminal.ts';
import { planRows, readExportOptions } from './options.ts';
import {
  type ExportProgress,
  formatPartialFile,
  openPartialFile,
  parseRow,
  readEstimate,
  readProgress,
  readRows,
} from './rows.ts';

export const runExport: Runner<'export'> = async (parsed, context) => {
  const { stdout, stderr } = context;
  const options = readExportOptions(parsed);
  const { document, out, request, isCompressed, resume, quiet } = options;
  // A trusted document is known by the hash of its text without a trailing line end.
  const query = tryReadFile(document)?.trimEnd();
  if (query === undefined) throw new UsageError(`export takes a file that can be read, not '${document}'`);
  const operation = { query, ...options.operation };
  const plan = planRows(operation, request);
  const url = readGatewayUrl(options.url, context.env);
  const partial = out && `${out}.part`;
  if (partial && resume && existsSync(out) && !existsSync(partial)) {
    stderr.write(`${out} is complete. To export it again and replace it, omit --resume.\n`);
    return 0;
  }
  const format = createRowFormat(plan.columns, request);
  // Hashed, since variables may be private.
  const identity = JSON.stringify([operation, url, request.format, isCompressed, request, plan.columns]);
  const head = JSON.stringify({ export: createHash('sha256').update(identity).digest('base64url') });
  const resumed = partial && resume && plan.hasCursors ? await readProgress(partial, head) : undefined;
  const progress: ExportProgress = resumed ?? { after: undefined, rows: 0, bytes: 0 };
  const count = () => `${progress.rows.toLocaleString('en')} rows`;
  // The gateway reads a whole list before it sends the first filtered row.
  const gateway = await openGateway(url, { isQuiet: quiet, timeouts: { headersTimeout: 0 } }, context);
  const { notes, signal } = gateway;

  if (progress.rows > 0) notes.note(`Resuming after ${count()}.`);
  try {
    if (options.estimate) {
      for await (const estimate of readEstimate(gateway, operation))
        await writeText(stdout, `${JSON.stringify(estimate, null, 2)}\n`);
      return 0;
    }
    const add = partial
      ? openPartialFile(partial, head, progress)
      : (lines: readonly string[]) => {
          const start = progress.rows === 0 ? format.header : '';
          return writeText(stdout, start + lines.map((line) => format.formatRow(parseRow(line))).join(''));
        };
    for await (const lines of readRows(gateway, operation, plan, progress)) {
      notes.progress(count());
      await add(lines);
    }
    if (progress.rows === 0) await add([]);
    if (partial) {
      const compression = isCompressed ? createGzip() : new PassThrough();
      const file = createWriteStream(`${out}.new`);
      await pipeline(formatPartialFile(partial, format, signal), compression, file);
      renameSync(`${out}.new`, out);
      rmSync(partial);
    }
    notes.note(`${out ?? 'Done'}: ${count()}`);
    return 0;
  } catch (error) {
    // A reader such as `head` closes the pipe when it has enough.
    if (!partial && isBrokenPipe(error)) return 1;
    const reason = signal.aborted ? 'Interrupted.' : toSentence(describeFailure(error));
    const kept = partial
      ? `${partial} has ${count()}: to continue after them, run the same command with --resume.`
      : `${count()} were written. Only the export to a file can be resumed.`;
    notes.say(`${reason} ${progress.rows > 0 ? kept : 'No row was written.'}`);
    if (partial && progress.rows === 0) rmSync(partial, { force: true });
    if (signal.aborted) return INTERRUPTED;
    return error instanceof CommandFailure && error.status === 2 ? 2 : 1;
  } finally {
    if (partial) rmSync(`${out}.new`, { force: true });
    await gateway.close();
  }
};
