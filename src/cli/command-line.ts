import { ConfigError } from '../config/setting.ts';
import { type Command, isCommand } from './arguments.ts';
import { type CommandContext, print } from './context.ts';
import { CommandFailure, UsageError } from './failure.ts';

type Run = (args: readonly string[], context: CommandContext) => number | Promise<number>;

/** What runs each command is imported on demand, so that `help` does not have to build the schema. */
const COMMANDS: { readonly [name in Command]: () => Promise<Run> } = {
  serve: async () => (await import('./serve.ts')).serveUntilStopped,
  doctor: async () => (await import('./doctor/doctor.ts')).runDoctor,
  config: async () => (await import('./config.ts')).printConfig,
  export: async () => (await import('./export/export.ts')).runExport,
  changes: async () => (await import('./changes/changes.ts')).runChanges,
  'print-schema': async () => (await import('./print-schema.ts')).runPrintSchema,
  help: async () => (await import('./help.ts')).printHelp,
};

/** Runs a command, and returns its exit status. `serve` goes on in the background. */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<number> {
  const [first = 'serve', ...rest] = args;
  const start = async (name: Command, given = args) => (await COMMANDS[name]())(given, context);
  try {
    if (args.includes('--help') || args.includes('-h')) return await start('help');
    if (first === '--version') return print(`${(await import('../version.ts')).version}\n`, context);
    if (isCommand(first)) return await start(first, rest);
    if (first.startsWith('-')) return await start('serve');
    throw new UsageError(`Unknown command '${first}'`);
  } catch (error) {
    if (!(error instanceof CommandFailure || error instanceof ConfigError)) throw error;
    const help = ['receivables-graphql', ...(isCommand(first) ? [first] : []), '--help'].join(' ');
    context.stderr.write(`${error.message}${error instanceof UsageError ? `; see ${help}.` : ''}\n`);
    return error instanceof CommandFailure ? error.status : 2;
  }
}
