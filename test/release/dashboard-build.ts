import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly dashboard: string;
  }
}

const root = fileURLToPath(new URL('../../examples/dashboard/', import.meta.url));

export default async function buildDashboard({ provide }: TestProject): Promise<() => void> {
  const outDir = mkdtempSync(join(tmpdir(), 'dashboard-'));
  const { NODE_ENV } = process.env;
  // Else React's build for development is taken, which does everything twice.
  Object.assign(process.env, { NODE_ENV: 'production', GATEWAY_TOKEN: 'a token of the one who builds' });
  await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
  delete process.env.GATEWAY_TOKEN;
  Object.assign(process.env, { NODE_ENV });
  provide('dashboard', outDir);
  return () => rmSync(outDir, { recursive: true, force: true });
}
