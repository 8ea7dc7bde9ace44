import { ConfigError, readDoctorConfig } from '../config/index.ts';
import { findVariable, getDefault, readSetting, type Setting } from '../config/setting.ts';
import { SETTINGS } from '../config/settings.ts';
import { checkTrustedDocuments } from '../request/find-document.ts';
import { RESOURCES, schema } from '../schema/index.ts';
import { findMisspelledSettings, type LoadedEnvironment, loadEnvironment, type Runner } from './arguments.ts';
import { print, withoutControlCharacters } from './terminal.ts';

export const runConfig: Runner<'config'> = async ({ values }, context) => {
  const loaded = loadEnvironment(context.env, values['env-file']);
  try {
    const { trustedDocuments } = readDoctorConfig(loaded.env, RESOURCES).config;
    if (trustedDocuments) checkTrustedDocuments(schema, trustedDocuments);
    const settings = effectiveSettings(loaded, context.stdout.isTTY === true);
    const byName = Object.fromEntries(settings.map(({ name, ...setting }) => [name, setting]));
    return print(values.json ? `${JSON.stringify(byName, null, 2)}\n` : toTable(settings), context);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    context.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    for (const hint of findMisspelledSettings(loaded)) context.stderr.write(`${hint}\n`);
  }
};

function effectiveSettings({ env, files }: LoadedEnvironment, isTerminal: boolean) {
  return Object.values<Setting<unknown>>(SETTINGS).map((setting) => {
    const { name } = setting;
    const variable = findVariable(env, setting);
    if (variable === undefined)
      return { name, value: getDefault(setting, isTerminal) ?? null, source: 'default' };
    const shown = setting.show?.(readSetting(env, setting) ?? '');
    const value = shown ?? (setting.secret ? '***' : (env[variable] ?? ''));
    if (variable === `${name}_FILE`) return { name, value, source: `${variable}=${env[variable]}` };
    const file = files.get(variable);
    return { name, value, source: file === undefined ? 'environment' : `--env-file ${file}` };
  });
}

function toTable(settings: ReturnType<typeof effectiveSettings>): string {
  const rows = settings.map(({ name, value, source }) =>
    [name, value ?? '–', source].map(withoutControlCharacters),
  );
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return `${lines.join('\n')}\n`;
}
