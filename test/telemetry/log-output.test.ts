import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bufferedOutput, createLogger } from '../../src/telemetry/log.ts';
import { eventually } from '../support/eventually.ts';
import { makeFolder } from '../support/resources.ts';

/** Opens a log to a pipe that is read on demand. */
function openLog() {
  const path = join(makeFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // Closed with the log, or with the process.
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const bytes = Buffer.alloc(100_000);
  let text = '';
  const lines = () => {
    try {
      text += bytes.toString('utf8', 0, readSync(reader, bytes));
    } catch {
      // There is nothing to read yet.
    }
    return text.split('\n').slice(0, -1);
  };
  const logger = createLogger({ logLevel: 'operations', logFormat: 'json' }, bufferedOutput(writer));
  return { ...logger, lines, closeReader: () => closeSync(reader) };
}

const messagesIn = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).message);

test('log lines are written soon, and the last before the log closes', async () => {
  const { log, end, lines } = openLog();
  log('info', 'one');
  await eventually(() => expect(messagesIn(lines())).toEqual(['one']));
  log('info', 'two');
  await end();
  log('info', 'three');
  await end();
  expect(messagesIn(lines())).toEqual(['one', 'two']);
});

test('a log reader that stops makes the log drop lines, count them and report the number later', async () => {
  const { log, droppedMetric, end, lines } = openLog();
  const count = 5_000;
  for (let index = 0; index < count; index += 1) log('info', 'x'.repeat(1_000));
  const [dropped = 0] = Object.values(droppedMetric.collect().samples);
  expect(dropped).toBeGreaterThan(3_500);
  await eventually(() =>
    expect(lines().at(-1)).toContain(`"dropped":${dropped},"message":"log lines dropped"`),
  );
  expect(lines()).toHaveLength(count - dropped + 1);
  for (let index = 0; index < 200; index += 1) log('info', 'x'.repeat(1_000));
  await end();
});

test('a process ends even if the reader of its log has stopped', async () => {
  const module = new URL('../../dist/telemetry/log.js', import.meta.url);
  const script = `import { createLogger } from '${module}';
    const { log, end } = createLogger({ logLevel: 'operations', logFormat: 'json' });
    for (let index = 0; index < 2_000; index += 1) log('info', 'x'.repeat(1_000));
    setTimeout(() => end().then(() => process.exit(3)), 100);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await once(child, 'exit')).toEqual([3, null]);
});

test('a log reader that disconnects makes the log drop lines without an error', async () => {
  const { log, end, closeReader } = openLog();
  closeReader();
  log('info', 'nobody reads this');
  await end();
});
