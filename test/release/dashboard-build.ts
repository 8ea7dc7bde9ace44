import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { scriptOf } from '../../scripts/commands.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the built dashboard. */
    readonly dashboard: string;
  }
}

const project = fileURLToPath(new URL('../../', import.meta.url));
const root = join(project, 'examples/dashboard');
const cache = join(project, 'node_modules/.cache');

/** Builds the dashboard once for all test files, and again only when its sources or what is installed have changed. */
export default function setup({ provide }: TestProject): void {
  const outDir = join(cache, `dashboard-${fingerprint()}`);
  if (!existsSync(outDir)) buildTo(outDir);
  provide('dashboard', outDir);
}

function fingerprint(): string {
  const sources = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    // There, Vite's development server leaves something new each time.
    .filter((path) => !relative(root, path).startsWith('node_modules'))
    .sort();
  const hash = createHash('sha256');
  // This file too, which says how to build.
  for (const path of [...sources, join(project, 'node_modules/.package-lock.json'), import.meta.filename]) {
    const content = readFileSync(path);
    hash.update(`${path.slice(project.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Under another name until all of it is there, since other processes may be looking. */
function buildTo(outDir: string): void {
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(`${outDir}-`);
  try {
    execFileSync(
      process.execPath,
      [
        scriptOf('vite', 'vite'),
        'build',
        root,
        '--outDir',
        unfinished,
        '--emptyOutDir',
        '--logLevel',
        'warn',
      ],
      {
        stdio: 'inherit',
        // Else React's build for development is taken, which does everything twice.
        env: { ...process.env, NODE_ENV: 'production', GATEWAY_TOKEN: 'a token of the one who builds' },
      },
    );
    renameSync(unfinished, outDir);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(outDir)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
