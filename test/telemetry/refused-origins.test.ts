import { expect, test } from 'vitest';
import { createTestTelemetry } from '../support/telemetry.ts';

test.each([
  ['https://app.example', 'https://app.example', true],
  ['HTTP://App.Example:80', 'http://app.example:80', true],
  ['capacitor://localhost', 'capacitor://localhost', false],
  ['null', 'null', false],
  ['https://user:secret@app.example', 'null', false],
  ['https://app.example/path?token=secret', 'null', false],
  ['https://app.example\n{"level":"error"}', 'null', false],
  [`https://${'a'.repeat(254)}`, 'null', false],
  [`${'a'.repeat(100_000)}://x`, 'null', false],
])('of the origin %j the log has %j', async (given, logged, canBeListed) => {
  const { telemetry, lines } = createTestTelemetry();
  telemetry.originRefused(given);
  await telemetry.stop();
  const [line, ...others] = lines();
  expect([line?.origin, others]).toEqual([logged, []]);
  expect(String(line?.message).includes('add it to CORS_ORIGINS')).toBe(canBeListed);
  expect(line?.message).toContain('CORS_ORIGINS');
});

test('made-up origins fill some lines, and no memory beyond that', async () => {
  const { telemetry, lines } = createTestTelemetry();
  for (let index = 0; index < 10_000; index += 1) telemetry.originRefused(`https://${index}.example`);
  await telemetry.stop();
  expect(lines()).toHaveLength(200);
});
