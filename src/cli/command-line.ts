import { type Command, OPTIONS, readChangesOptions, readValues } from './arguments.ts';
import { type CommandContext, isBrokenPipe } from './context.ts';
import { CommandFailure, UsageError } from './failure.ts';

type Run = (args: readonly string[], context: CommandContext) => Promise<number>;

/** What runs each command is imported on demand, so that `help` does not have to build the schema. */
const COMMANDS: { readonly [name in Command]: Run } = {
  serve: async (args, context) =>
    (await import('./serve.ts')).serveUntilStopped(readValues('serve', args), context),
  doctor: async (args, context) => {
    watchOutput(context, 1);
    return (await import('./doctor/doctor.ts')).runDoctor(readValues('doctor', args), context);
  },
  config: async (args, context) => {
    watchOutput(context);
    return (await import('./config.ts')).printConfig(readValues('config', args), context);
  },
  export: async (args, context) => (await import('./export/export.ts')).runExport(args, context),
  changes: async (args, context) => {
    const options = readChangesOptions(args);
    if (!options.printsQuery) return (await import('./changes/changes.ts')).runChanges(options, context);
    const { changesQuery } = await import('./changes/query.ts');
    return print(`${changesQuery(options.kinds, options.fields)}\n`, context);
  },
  'print-schema': async (args, context) => {
    readValues('print-schema', args);
    return print((await import('./print-schema.ts')).SCHEMA_TEXT, context);
  },
  help: async (args, context) => print((await import('./help.ts')).helpOn(args.find(isCommand)), context),
};

/** Runs a command, and returns its exit status. `serve` goes on in the background. */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<number> {
  const [first = 'serve', ...rest] = args;
  const command = isCommand(first) ? first : undefined;
  try {
    if (args.includes('--help') || args.includes('-h')) return await COMMANDS.help(args, context);
    if (first === '--version') return print(`${(await import('../version.ts')).version}\n`, context);
    if (command) return await COMMANDS[command](rest, context);
    if (first.startsWith('-')) return await COMMANDS.serve(args, context);
    throw new UsageError(`Unknown command '${first}'`);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const help = ['receivables-graphql', ...(command ? [command] : []), '--help'].join(' ');
    context.stderr.write(`${error.message}${error instanceof UsageError ? `; see ${help}.` : ''}\n`);
    return error.status;
  }
}

function isCommand(name: string): name is Command {
  return Object.hasOwn(OPTIONS, name);
}

function print(text: string, context: CommandContext): number {
  watchOutput(context);
  context.stdout.write(text);
  return 0;
}

/** A reader such as `head` closes the pipe early, which is not an error; but doctor has not checked all then. */
function watchOutput({ stdout, stderr, exit }: CommandContext, statusOfClosedPipe = 0): void {
  stdout.on('error', (error) => {
    if (isBrokenPipe(error)) return exit(statusOfClosedPipe);
    stderr.write(`Standard output: ${error.message}.\n`);
    exit(1);
  });
}
