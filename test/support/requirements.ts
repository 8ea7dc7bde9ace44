import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, type TestFunction, test } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** A requirement of the test; the end of the run lists it if the test was skipped. */
    needs?: string;
  }
}

export interface Requirement {
  readonly isMet: boolean;
  /** Its name and how to get it: the end of a sentence that begins with "2 tests need". */
  readonly needs: string;
}

/** Debian has servers in a folder that only root's path names. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];

/** A program of the system. Continuous integration must not lack it unnoticed: with `CI` set the tests run, and fail. */
export function program(name: string, debianPackage: string): Requirement {
  const { isMet, needs } = linter(name, debianPackage);
  return { isMet: isMet || process.env.CI !== undefined, needs };
}

/** The same, but also skipped with `CI` set: a linter that is part of an operating system is not installed for tests. */
export function linter(name: string, debianPackage: string): Requirement {
  return {
    isMet: folders.some((folder) => existsSync(join(folder, name))),
    needs: `${name}. On Debian: apt-get install ${debianPackage}`,
  };
}

export const POSIX: Requirement = {
  isMet: process.platform !== 'win32',
  needs: 'a POSIX shell. Run them on Linux or macOS.',
};

/** Systems other than macOS answer at all of 127.0.0.0/8. */
export const LOOPBACK_ADDRESSES: Requirement = {
  isMet: process.platform !== 'darwin',
  needs: 'several loopback addresses. Run them on Linux or Windows.',
};

/** `test` for tests that need something; skipped without it. */
export function testWith({ isMet, needs }: Requirement) {
  return (name: string, run: TestFunction, timeout?: number): void =>
    test(name, { skip: !isMet, meta: { needs }, ...(timeout !== undefined && { timeout }) }, run);
}

export function describeWith({ isMet, needs }: Requirement) {
  return (name: string, define: () => void): void => {
    describe(name, { skip: !isMet, meta: { needs } }, define);
  };
}
