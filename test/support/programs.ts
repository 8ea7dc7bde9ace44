import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian has servers in a folder that only root's path names. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];

/**
 * Whether tests that start a program of the system can run. Where it is not installed they are skipped, which is said;
 * with `CI` set they run, and fail.
 */
export function hasProgram(name: string, debianPackage: string): boolean {
  return process.env.CI !== undefined || hasLinter(name, debianPackage);
}

/** The same, but also skipped with `CI` set: a linter that is part of an operating system is not installed for tests. */
export function hasLinter(name: string, debianPackage: string): boolean {
  if (folders.some((folder) => existsSync(join(folder, name)))) return true;
  console.warn(`NO ${name}: its tests are skipped. On Debian: apt-get install ${debianPackage}`);
  return false;
}
