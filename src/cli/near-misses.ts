import type { Environment } from '../config/index.ts';
import { fileVariable } from '../config/reader.ts';
import type { Setting } from '../config/setting.ts';
import { SETTINGS } from '../config/settings.ts';

const NAMES = Object.values<Setting<unknown>>(SETTINGS).flatMap(({ name, secret }) =>
  secret ? [name, fileVariable(name)] : [name],
);

/** The setting that an option such as --max-calls is spelled like. */
export function settingOf(option: string): string | undefined {
  const name = option.replace(/^--/, '').replaceAll('-', '_').toUpperCase();
  return NAMES.find((setting) => setting === name);
}

/** A sentence for each variable that looks like a misspelt setting. Values are not looked at. */
export function nearMisses(env: Environment): string[] {
  return Object.keys(env).flatMap((name) => {
    const setting = NAMES.includes(name) ? undefined : settingLike(name);
    return setting === undefined ? [] : [`${name} is not a setting; did you mean ${setting}?`];
  });
}

/** The setting that has a part more or less, or few letters that differ. */
function settingLike(variable: string): string | undefined {
  const name = variable.toUpperCase();
  const distances = NAMES.map((setting): [setting: string, distance: number] => [
    setting,
    editDistance(name, setting),
  ]);
  const [nearest] = distances
    .filter(([setting, distance]) => isExtension(name, setting) || distance <= setting.length / 4)
    .sort(([, a], [, b]) => a - b);
  return nearest?.[0];
}

function isExtension(name: string, setting: string): boolean {
  return setting.startsWith(`${name}_`) || name.startsWith(`${setting}_`);
}

/** The candidate that has few letters that differ. */
export function nearest<Name extends string>(name: string, candidates: readonly Name[]): Name | undefined {
  return candidates.find((candidate) => editDistance(name, candidate) <= candidate.length / 3);
}

/** How many letters have to be added, dropped or replaced (Levenshtein), row by row. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
