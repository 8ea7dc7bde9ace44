import { expect, test } from 'vitest';
import { startProcess } from '../../support/processes.ts';

// What is told of faults of other kinds is in test/telemetry/fault.test.ts.
test('an uncaught fault ends the process, and shows no secret', async () => {
  // A process, since it ends. Node treats an error that is thrown as it does a promise that is rejected.
  const before = `process.on('SIGUSR2', () => { Promise.reject(new Error("s3cret")) })`;
  const { child, exit, output, errors } = await startProcess({}, { before });
  const { length } = output();
  child.kill('SIGUSR2');
  const [status] = await exit;
  expect(status).toBeGreaterThan(0);
  const told = output().slice(length) + errors();
  expect(told).toContain('uncaught fault');
  expect(told).not.toMatch(/s3cret|\n\s+at |data:/);
});
