import { type CommandLine, helpCommand, readCommandLine } from './arguments.ts';
import { type CommandContext, interruptBySignals, isBrokenPipe } from './context.ts';
import { CommandFailure, UsageError } from './failure.ts';

/** Runs a command, and returns its exit status. `serve` goes on in the background. */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    return await run(readCommandLine(args), context);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const hint = error instanceof UsageError ? `; see ${helpCommand(args)}.` : '';
    context.stderr.write(`${error.message}${hint}\n`);
    return error.status;
  }
}

/** Commands are imported on demand, so that `help` does not have to build the schema. */
async function run(line: CommandLine, context: CommandContext): Promise<number> {
  if (line.command === 'serve') return (await import('./serve.ts')).serveUntilStopped(line, context);
  // These handle the errors of standard output themselves.
  if (line.command === 'changes' && !line.printsQuery) {
    const interruption = new AbortController();
    // Until it begins, there is nothing to finish.
    interruption.signal.onabort = () => context.exit(0);
    interruptBySignals(interruption, context);
    return (await import('./changes/changes.ts')).runChanges(line, context, interruption);
  }
  if (line.command === 'export') return (await import('./export/export.ts')).runExport(line, context);

  context.stdout.on('error', (error) => {
    // A reader such as `head` closes the pipe early, which is not an error; but doctor has not checked all then.
    if (isBrokenPipe(error)) return context.exit(line.command === 'doctor' ? 1 : 0);
    context.stderr.write(`Standard output: ${error.message}.\n`);
    context.exit(1);
  });
  if (line.command === 'doctor') return (await import('./doctor/doctor.ts')).runDoctor(line, context);
  if (line.command === 'config') return (await import('./config.ts')).printConfig(line, context);
  context.stdout.write(await textOf(line));
  return 0;
}

async function textOf(
  line: Exclude<CommandLine, { command: 'serve' | 'doctor' | 'config' | 'export' }>,
): Promise<string> {
  switch (line.command) {
    case 'changes':
      return `${(await import('./changes/query.ts')).changesQuery(line.kinds, line.fields)}\n`;
    case 'print-schema':
      return (await import('./print-schema.ts')).SCHEMA_TEXT;
    case 'help':
      return (await import('./help.ts')).HELP[line.topic];
    case 'version':
      return `${(await import('../version.ts')).version}\n`;
  }
}
