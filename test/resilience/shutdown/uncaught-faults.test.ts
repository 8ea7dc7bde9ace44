import { expect, test } from 'vitest';
import { startProcess } from '../../support/processes.ts';

test.each([
  ['an error', 'throw new Error("s3cret")'],
  ['a text', 'throw "s3cret"'],
  ['null', 'throw null'],
  ['a rejected promise', 'Promise.reject(new Error("s3cret"))'],
])('an uncaught fault ends the process, and shows no secret: %s', async (_what, fault) => {
  const before = `process.on('SIGUSR2', () => { ${fault} })`;
  const { child, exit, output, errors } = await startProcess({}, { before });
  const { length } = output();
  child.kill('SIGUSR2');
  const [status] = await exit;
  expect(status).toBeGreaterThan(0);
  const told = output().slice(length) + errors();
  expect(told).toContain('uncaught fault');
  expect(told).not.toMatch(/s3cret|\n\s+at |data:/);
});
