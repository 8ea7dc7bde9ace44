import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger, standardOutput } from '../../src/telemetry/log.ts';
import { eventually } from '../support/eventually.ts';

/** A pipe that is read when it is told to. */
function openPipe() {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  let isOpen = true;
  const closeReader = () => {
    if (isOpen) closeSync(reader);
    isOpen = false;
  };
  // The other end is closed with the log, or with the process.
  onTestFinished(() => {
    closeReader();
    rmSync(folder, { recursive: true });
  });
  function read(): string {
    const bytes = Buffer.alloc(100_000);
    try {
      return bytes.toString('utf8', 0, readSync(reader, bytes));
    } catch {
      return '';
    }
  }
  return { fd: writer, read, closeReader };
}

const SETTINGS = { logLevel: 'operations', logFormat: 'json' } as const;
const linesIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('lines of operations are written together, those of events at once', async () => {
  const { fd, read } = openPipe();
  const logger = createLogger(SETTINGS, standardOutput(fd));
  logger.operation('info', 'one');
  logger.operation('info', 'two');
  await sleep(20);
  expect(read()).toBe('');
  logger.event('warn', 'three');
  // While the others are being written.
  logger.event('warn', 'four');
  let text = '';
  await eventually(() => {
    text += read();
    expect(linesIn(text).map(({ message }) => message)).toEqual(['one', 'two', 'three', 'four']);
  });
  logger.operation('info', 'five');
  await eventually(() => expect(linesIn(read())).toMatchObject([{ level: 'info', message: 'five' }]));
  logger.operation('info', 'six');
  await logger.end();
  expect(linesIn(read())).toMatchObject([{ message: 'six' }]);
  logger.event('info', 'seven');
});

test('a reader that stops costs lines, not memory; how many is told when it reads again', async () => {
  const { fd, read } = openPipe();
  const logger = createLogger(SETTINGS, standardOutput(fd));
  const lines = 5_000;
  for (let count = 0; count < lines; count += 1) logger.operation('info', 'x'.repeat(1_000));
  const [dropped = 0] = Object.values(logger.droppedMetric.collect().samples);
  expect(dropped).toBeGreaterThan(3_500);
  let text = '';
  for (let tries = 0; tries < 100 && !text.includes('log lines dropped'); tries += 1) {
    text += read();
    await sleep(50);
  }
  const written = linesIn(text);
  expect(written.at(-1)).toMatchObject({ level: 'warn', message: 'log lines dropped', dropped });
  expect(written).toHaveLength(lines - dropped + 1);
  // Nor does the end wait for it.
  for (let count = 0; count < 200; count += 1) logger.operation('info', 'x'.repeat(1_000));
  await logger.end();
});

test('a reader that has gone costs lines, and no error', async () => {
  const { fd, closeReader } = openPipe();
  const logger = createLogger(SETTINGS, standardOutput(fd));
  closeReader();
  for (let count = 0; count < 3; count += 1) {
    logger.event('info', 'nobody reads this');
    await sleep(20);
  }
  await logger.end();
});
