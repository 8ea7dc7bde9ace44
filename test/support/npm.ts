import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { npmScript } from '../../scripts/commands.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs npm in a folder, and gives what it prints. */
export async function npm(folder: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, maxBuffer: 10_000_000 };
  const { stdout } = await promisify(execFile)(process.execPath, [npmScript(), ...args], options);
  return stdout;
}

/** Installs packages into a folder of their own, from npm's cache as far as it has them. */
export async function npmInstall(folder: string, ...args: string[]): Promise<void> {
  // Without a network every attempt fails; where there should be one, it may fail once.
  const retries = `--fetch-retries=${process.env.CI ? 2 : 0}`;
  const quick = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', retries];
  await npm(folder, 'install', '--prefix', folder, ...quick, ...args);
}

const NO_NETWORK = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ENOTCACHED)\b/;
const NO_PACKAGE = /\b(E404|ETARGET|EBADPLATFORM)\b/;

/** Whether npm failed because it cannot reach what it installs from. */
export function isOffline(error: unknown): boolean {
  return error instanceof Error && NO_NETWORK.test(error.message);
}

/** Whether npm failed because there is no such package for this machine. */
export function isNotAvailable(error: unknown): boolean {
  return error instanceof Error && NO_PACKAGE.test(error.message);
}
