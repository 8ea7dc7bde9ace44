import { parseArgs } from 'node:util';
import type { Environment } from '../config/index.ts';
import { getVariables, type Setting, tryReadFile } from '../config/setting.ts';
import { SETTINGS } from '../config/settings.ts';
import { parseEnvFile } from './env-file.ts';
import { UsageError } from './failure.ts';
import type { CommandContext } from './terminal.ts';

const SETTING_NAMES = Object.values<Setting<unknown>>(SETTINGS).flatMap(getVariables);

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const FILES = { type: 'string', multiple: true } as const;

/** The options of each command, besides --help. help.ts documents them. */
export const OPTIONS = {
  serve: { 'env-file': FILES },
  doctor: { administration: TEXT, yes: FLAG, 'env-file': FILES },
  config: { json: FLAG, 'env-file': FILES },
  export: {
    ...{ out: TEXT, format: TEXT, variables: TEXT, operation: TEXT, url: TEXT, resume: FLAG, quiet: FLAG },
    ...{ estimate: FLAG, separator: TEXT, decimal: TEXT, bom: FLAG, formulas: FLAG, phones: FLAG },
    'time-zone': TEXT,
  },
  changes: {
    ...{ administration: TEXT, kinds: TEXT, fields: TEXT, since: TEXT, after: TEXT, state: TEXT },
    ...{ url: TEXT, quiet: FLAG, 'print-query': FLAG },
  },
  mcp: {
    ...{ url: TEXT, embedded: FLAG, omit: TEXT, 'include-declaration-lines': FLAG },
    ...{ 'trusted-documents': TEXT, 'max-calls': TEXT },
  },
  'print-schema': {},
  help: {},
} as const;

export type Command = keyof typeof OPTIONS;

export function isCommand(name: string): name is Command {
  return Object.hasOwn(OPTIONS, name);
}

export type ParsedArguments<Name extends Command> = ReturnType<
  typeof parseArgs<{ allowPositionals: true; options: (typeof OPTIONS)[Name] }>
>;

export type Runner<Name extends Command> = (
  parsed: ParsedArguments<Name>,
  context: CommandContext,
) => Promise<number>;

export function parseCommand<Name extends Command>(
  command: Name,
  args: readonly string[],
): ParsedArguments<Name> {
  const allowPositionals = command === 'export' || command === 'help';
  try {
    return parseArgs({ args: [...args], allowPositionals, options: OPTIONS[command] });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node appends hints on escaping arguments; only the first sentence says what is wrong.
    const [sentence = ''] = error.message.split(/\.\s/);
    const [, option = ''] = /^Unknown option '--([\w-]+)'/.exec(sentence) ?? [];
    const name = option.replaceAll('-', '_').toUpperCase();
    const hint = SETTING_NAMES.includes(name) ? ` (set the environment variable ${name} instead)` : '';
    throw new UsageError(`${sentence}${hint}`);
  }
}

export type LoadedEnvironment = Readonly<ReturnType<typeof loadEnvironment>>;

/** Adds variables from files, which those of the process override. Child processes must not inherit secrets. */
export function loadEnvironment(processEnv: Environment, paths: readonly string[] = []) {
  const env: { [name: string]: string | undefined } = { ...processEnv };
  const files = new Map<string, string>();
  for (const path of paths) {
    // Node itself looks for --env-file among all arguments, and may end with status 9 before this is reached.
    const content = tryReadFile(path);
    if (content === undefined) throw new UsageError(`The file '${path}' of --env-file cannot be read`);
    const { values, invalidLine } = parseEnvFile(content);
    if (invalidLine !== undefined) throw new UsageError(`Line ${invalidLine} of '${path}' is not NAME=value`);
    for (const [name, value] of values) {
      if (processEnv[name]) continue;
      env[name] = value;
      files.set(name, path);
      if (/^(OTEL_.*|NO_COLOR)$/.test(name)) process.env[name] = value;
    }
  }
  return { env, files };
}

/** Variables of other programs, which a file may set too. */
const OTHER_VARIABLES = /^(?:NODE_.*|NO_COLOR|OTEL_.*|RECEIVABLES_.*)$/;

export function findMisspelledSettings({ env, files }: LoadedEnvironment): string[] {
  return Object.keys(env).flatMap((name) => {
    if (SETTING_NAMES.includes(name)) return [];
    const setting = nearestSetting(name.toUpperCase());
    if (setting !== undefined) return [`${name} is not a setting; did you mean ${setting}?`];
    const file = OTHER_VARIABLES.test(name) ? undefined : files.get(name);
    return file === undefined ? [] : [`${name} in ${file} is not a setting.`];
  });
}

/** Finds a setting that differs in one or two letters, or else by whole words. */
function nearestSetting(name: string): string | undefined {
  const spellings = getSpellings(name);
  return (
    SETTING_NAMES.find((setting) => getSpellings(setting).some((spelling) => spellings.includes(spelling))) ??
    SETTING_NAMES.find((setting) => setting.startsWith(`${name}_`) || name.startsWith(`${setting}_`))
  );
}

function getSpellings(setting: string): string[] {
  const name = setting.replace(/IES$/, 'Y');
  return [name, ...Array.from(name, (_letter, index) => name.slice(0, index) + name.slice(index + 1))];
}
