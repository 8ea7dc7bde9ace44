import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { test } from 'vitest';

// A test, so that it runs beside the others, and what it finds is told where their failures are.
test('npm run check', { timeout: 300_000 }, async () => {
  await promisify(exec)('npm run check', { maxBuffer: 10_000_000 }).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}\n${stderr}`);
  });
});
