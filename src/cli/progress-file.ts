import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isObject, parseJson } from '../rest/json.ts';

/** How far a command has come; undefined where there is no file, or none that can be understood. */
export function readProgress(path: string): { readonly [member: string]: unknown } | undefined {
  try {
    const progress = parseJson(readFileSync(path, 'utf8'));
    return isObject(progress) ? progress : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file as a whole: nobody ever sees a part of it. */
export function saveProgress(path: string, progress: object): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(progress, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}
