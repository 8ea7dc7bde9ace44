import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isRunning, thisProcess } from '../../src/cli/running.ts';
import { testWith } from '../support/requirements.ts';

async function startOther(): Promise<number> {
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child.pid ?? 0;
}

describe('a writer that runs', () => {
  test('is another process, and not this one', async () => {
    expect(isRunning({ pid: await startOther() })).toBe(true);
    expect(isRunning({ ...thisProcess() })).toBe(false);
  });

  test('is none that has ended', async () => {
    const child = spawn('true');
    await once(child, 'close');
    expect(isRunning({ pid: child.pid })).toBe(false);
  });

  testWith({ isMet: process.platform === 'linux', needs: 'Linux.' })(
    'is none whose number another process has now',
    async () => {
      const pid = await startOther();
      expect(isRunning({ pid, startedAt: 'before the machine was started' })).toBe(false);
      const { pid: own, startedAt } = thisProcess();
      expect(startedAt).toMatch(/^\d+$/);
      expect(isRunning({ pid: own, startedAt })).toBe(false);
      expect(isRunning({ pid: process.ppid, startedAt: undefined })).toBe(true);
    },
  );

  test.each([[undefined], ['17'], [0], [-1], [1.5]])(
    'is none of the number %j, which no process has',
    (pid) => {
      expect(isRunning({ pid })).toBe(false);
    },
  );
});
