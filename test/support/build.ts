import { exec } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The gateway's command, compiled and bundled. */
    readonly bundledMain: string;
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, 'node_modules/.cache');

const run = (script: string) => promisify(exec)(`npm run --silent ${script}`, { cwd: root });

/** Tests run what is in the sources now, with its documentation: in their own process, or as a process of its own. */
export default async function compileAndBundle({ provide }: TestProject): Promise<() => void> {
  await run('compile').catch(({ stdout, stderr }) => Promise.reject(new Error(`${stdout}${stderr}`)));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'gateway-'));
  await Promise.all([run('build:docs'), bundleInto(folder)]);
  // What the gateway looks for in the places that they have beside its modules.
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  for (const name of ['graphiql', 'docs', 'clients'])
    symlinkSync(join(root, 'dist', name), join(folder, name), 'junction');
  provide('bundledMain', join(folder, 'dist/main.js'));
  return () => rmSync(folder, { recursive: true, force: true });
}

/**
 * Bundles dist/main.js with its dependencies. The tests start well over a hundred gateways, and a gateway takes twice
 * as long to start from 700 files as from a few. What is published is started by `test/start.test.ts` and by the
 * tests of a release.
 */
async function bundleInto(folder: string): Promise<void> {
  await build({
    entryPoints: [join(root, 'dist/main.js')],
    outdir: join(folder, 'dist'),
    bundle: true,
    // Commands stay imported on demand.
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Optional dependencies, which are looked for as the gateway runs.
    external: ['ioredis', '@opentelemetry/*'],
    // For dependencies that are CommonJS and require modules of Node.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
  });
}
