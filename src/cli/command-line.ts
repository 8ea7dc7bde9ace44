import { type Command, OPTIONS, parseCommand } from './arguments.ts';
import { type CommandContext, print, watchOutput } from './context.ts';
import { CommandFailure, UsageError } from './failure.ts';

type Run = (args: readonly string[], context: CommandContext) => Promise<number>;

/** What runs each command is imported on demand, so that `help` does not have to build the schema. */
const COMMANDS: { readonly [name in Command]: Run } = {
  serve: async (args, context) =>
    (await import('./serve.ts')).serveUntilStopped(parseCommand('serve', args).values, context),
  doctor: async (args, context) => {
    watchOutput(context, 1);
    return (await import('./doctor/doctor.ts')).runDoctor(parseCommand('doctor', args).values, context);
  },
  config: async (args, context) => {
    watchOutput(context);
    return (await import('./config.ts')).printConfig(parseCommand('config', args).values, context);
  },
  export: async (args, context) => (await import('./export/export.ts')).runExport(args, context),
  changes: async (args, context) => (await import('./changes/changes.ts')).runChanges(args, context),
  'print-schema': async (args, context) => {
    parseCommand('print-schema', args);
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
