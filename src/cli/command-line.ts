import { ConfigError } from '../config/setting.ts';
import { type Command, isCommand, parseCommand, type Runner } from './arguments.ts';
import { CommandFailure, UsageError } from './failure.ts';
import { getHelp } from './help.ts';
import { type CommandContext, print } from './terminal.ts';

/** Commands are imported on demand, so that `help` does not build the schema. */
const COMMANDS: { readonly [Name in Command]: () => Promise<Runner<Name>> } = {
  serve: async () => (await import('./serve.ts')).runServe,
  doctor: async () => (await import('./doctor/doctor.ts')).runDoctor,
  config: async () => (await import('./config.ts')).runConfig,
  export: async () => (await import('./export/export.ts')).runExport,
  changes: async () => (await import('./changes/changes.ts')).runChanges,
  mcp: async () => (await import('./mcp/mcp.ts')).runMcp,
  'print-schema': async () => {
    const { printSchema } = await import('graphql');
    const { schema } = await import('../schema/index.ts');
    return async (_parsed, context) => print(printSchema(schema), context);
  },
  help: async () => async (parsed, context) => print(getHelp(parsed.positionals.find(isCommand)), context),
};

/** Returns the exit status. `serve` keeps running in the background. */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<number> {
  const [first = 'serve', ...rest] = args;
  async function start<Name extends Command>(name: Name, options: readonly string[]): Promise<number> {
    const parsed = parseCommand(name, options);
    return (await COMMANDS[name]())(parsed, context);
  }
  try {
    if (args.includes('--help') || args.includes('-h')) return print(getHelp(args.find(isCommand)), context);
    if (first === '--version') return print(`${(await import('../package.ts')).version}\n`, context);
    if (isCommand(first)) return await start(first, rest);
    if (first.startsWith('-')) return await start('serve', args);
    throw new UsageError(`Unknown command '${first}'`);
  } catch (error) {
    if (!(error instanceof CommandFailure || error instanceof ConfigError)) throw error;
    const help = ['receivables-graphql', ...(isCommand(first) ? [first] : []), '--help'].join(' ');
    context.stderr.write(`${error.message}${error instanceof UsageError ? `; see ${help}.` : ''}\n`);
    return error instanceof CommandFailure ? error.status : 2;
  }
}
