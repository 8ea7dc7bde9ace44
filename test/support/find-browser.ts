import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program that browser tests start, or null. */
    readonly browser: string | null;
  }
}

const { env } = process;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const FOLDERS = [...(env.PATH ?? '').split(delimiter), '/usr/bin', '/snap/bin'];
/** Where installers of macOS and Windows put browsers, which are not on the path. */
const APPLICATIONS = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const PROGRAMS = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder = '') =>
  ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].map((program) =>
    join(folder, program),
  ),
);

/** Finds the browser once for all test files: that of CHROMIUM_PATH, or one that is installed. */
export default function findBrowser({ provide }: TestProject): void {
  const { CHROMIUM_PATH } = env;
  if (CHROMIUM_PATH && !existsSync(CHROMIUM_PATH))
    throw new Error(`CHROMIUM_PATH is ${CHROMIUM_PATH}, where there is no file.`);
  const onPath = NAMES.flatMap((name) => FOLDERS.map((folder) => join(folder, name)));
  const found = CHROMIUM_PATH || [...onPath, ...APPLICATIONS, ...PROGRAMS].find(existsSync);
  provide('browser', found ?? null);
}
