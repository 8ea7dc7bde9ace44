import { existsSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { type BrowserProgram, unpackBundled } from './bundled.ts';
import { findBrowser } from './find.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What browser tests start; null where there is none. */
    readonly browser: BrowserProgram | null;
  }
}

/** Finds the browser once for all test files. */
export default async function setup({ provide }: TestProject): Promise<void> {
  const { platform, arch, env } = process;
  const found = findBrowser({ platform, arch, env, exists: existsSync });
  if (found === undefined && !env.CI) {
    console.warn(
      'NO BROWSER: the browser tests are skipped. Install Chromium, Chrome or Edge, or set CHROMIUM_PATH to one.',
    );
  }
  if (found === 'bundled') provide('browser', await unpackBundled());
  else provide('browser', found ? { executablePath: found.installed, env: {} } : null);
}
