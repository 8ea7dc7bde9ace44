import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { tryReadFile } from '../../config/setting.ts';
import type { Runner } from '../arguments.ts';
import { CommandFailure, describeFailure, UsageError } from '../failure.ts';
import { openGateway, readGatewayUrl } from '../gateway.ts';
import { INTERRUPTED, isBrokenPipe, toSentence, writeText } from '../terminal.ts';
import { textFormat, writeRows } from './formats.ts';
import { planRows, readExportOptions } from './options.ts';
import {
  type ExportProgress,
  openPartialFile,
  parseRow,
  readEstimate,
  readPartialRows,
  readRows,
  resumePosition,
} from './rows.ts';

export const runExport: Runner<'export'> = async (parsed, context) => {
  const { stdout, stderr } = context;
  const options = readExportOptions(parsed);
  const { document, variables, operationName, out, format, csv, isCompressed, resume, quiet } = options;
  // A trusted document is known by the hash of its text without a trailing line end.
  const query = tryReadFile(document)?.trimEnd();
  if (query === undefined) throw new UsageError(`export takes a file that can be read, not '${document}'`);
  const operation = { query, variables, operationName };
  const plan = planRows(operation);
  const url = readGatewayUrl(options.url, context.env);
  const part = out && `${out}.part`;
  if (part && resume && existsSync(out) && !existsSync(part)) {
    stderr.write(`${out} is complete. To export it again and replace it, omit --resume.\n`);
    return 0;
  }
  const text = textFormat(plan, options);
  // Hashed, since variables may be private.
  const identity = JSON.stringify([operation, url, format, isCompressed, csv, plan.columns]);
  const head = JSON.stringify({ export: createHash('sha256').update(identity).digest('base64url') });
  const resumed = part && resume && plan.hasCursors ? await resumePosition(part, head) : undefined;
  const position: ExportProgress = resumed ?? { after: undefined, rows: 0, bytes: 0 };
  const count = () => `${position.rows.toLocaleString('en')} rows`;
  // The gateway reads a whole list before it sends the first filtered row.
  const gateway = await openGateway(url, { isQuiet: quiet, timeouts: { headersTimeout: 0 } }, context);
  const { notes, signal } = gateway;

  if (position.rows > 0) notes.note(`Resuming after ${count()}.`);
  try {
    if (options.estimate) {
      for await (const estimate of readEstimate(gateway, operation))
        await writeText(stdout, `${JSON.stringify(estimate, null, 2)}\n`);
      return 0;
    }
    const add = part
      ? openPartialFile(part, head, position)
      : (lines: readonly string[]) => {
          const start = position.rows === 0 ? text.header : '';
          return writeText(stdout, start + lines.map((line) => text.row(parseRow(line))).join(''));
        };
    for await (const lines of readRows(gateway, operation, plan, position)) {
      notes.progress(count());
      await add(lines);
    }
    if (position.rows === 0) await add([]);
    if (part) {
      await writeRows(`${out}.new`, readPartialRows(part, signal), text, isCompressed);
      renameSync(`${out}.new`, out);
      rmSync(part);
    }
    notes.note(`${out ?? 'Done'}: ${count()}`);
    return 0;
  } catch (error) {
    // A reader such as `head` closes the pipe when it has enough.
    if (!part && isBrokenPipe(error)) return 1;
    const reason = signal.aborted ? 'Interrupted.' : toSentence(describeFailure(error));
    const kept = part
      ? `${part} has ${count()}: to continue after them, run the same command with --resume.`
      : `${count()} were written. Only the export to a file can be resumed.`;
    notes.say(`${reason} ${position.rows > 0 ? kept : 'No row was written.'}`);
    if (part && position.rows === 0) rmSync(part, { force: true });
    if (signal.aborted) return INTERRUPTED;
    return error instanceof CommandFailure && error.status === 2 ? 2 : 1;
  } finally {
    if (part) rmSync(`${out}.new`, { force: true });
    await gateway.close();
  }
};
