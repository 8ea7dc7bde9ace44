import { COMMANDS, type CommandLine, readCommandLine } from './arguments.ts';
import { type CommandContext, isBrokenPipe } from './context.ts';
import { CommandFailure, UsageError } from './failure.ts';

/** Runs a command, and returns its exit status. `serve` goes on in the background. */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    return await run(readCommandLine(args), context);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const command = COMMANDS.find((name) => args[0] === name && name !== 'help');
    const help = ['receivables-graphql', ...(command ? [command] : []), '--help'].join(' ');
    context.stderr.write(`${error.message}${error instanceof UsageError ? `; see ${help}.` : ''}\n`);
    return error.status;
  }
}

/** Commands are imported on demand, so that `help` does not have to build the schema. */
async function run(line: CommandLine, context: CommandContext): Promise<number> {
  const { stdout, stderr } = context;
  // These handle the errors of standard output themselves.
  if (line.command === 'serve') return (await import('./serve.ts')).serveUntilStopped(line, context);
  if (line.command === 'export') return (await import('./export/export.ts')).runExport(line, context);
  if (line.command === 'changes' && !line.printsQuery)
    return (await import('./changes/changes.ts')).runChanges(line, context);

  stdout.on('error', (error) => {
    // A reader such as `head` closes the pipe early, which is not an error; but doctor has not checked all then.
    if (isBrokenPipe(error)) return context.exit(line.command === 'doctor' ? 1 : 0);
    stderr.write(`Standard output: ${error.message}.\n`);
    context.exit(1);
  });
  if (line.command === 'doctor') return (await import('./doctor/doctor.ts')).runDoctor(line, context);
  if (line.command === 'config') return (await import('./config.ts')).printConfig(line, context);
  if (line.command === 'changes')
    stdout.write(`${(await import('./changes/query.ts')).changesQuery(line.kinds, line.fields)}\n`);
  else if (line.command === 'print-schema') stdout.write((await import('./print-schema.ts')).SCHEMA_TEXT);
  else if (line.command === 'help') stdout.write((await import('./help.ts')).helpOn(line.topic));
  else stdout.write(`${(await import('../version.ts')).version}\n`);
  return 0;
}
