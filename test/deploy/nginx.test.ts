import { describe, expect, onTestFinished, test } from 'vitest';
import { check, configure } from '../../bench/restarts/nginx.mjs';
import { restartInTurn } from '../../bench/restarts/rolling-restart.mjs';
import { readConfig } from '../../src/config/index.ts';
import { hasProgram } from '../support/programs.ts';
import { readDeploy } from './support.ts';

const text = readDeploy('nginx.conf');
const secondsOf = (directive: string) => Number(new RegExp(`^ *${directive} (\\d+)s;`, 'm').exec(text)?.[1]);

test('nginx.conf has timeouts that fit those of the gateway', () => {
  expect(secondsOf('proxy_read_timeout') * 1000).toBeGreaterThan(readConfig({}, []).requestTimeoutMs);
  // The gateway closes idle connections after 65 s.
  expect(secondsOf('keepalive_timeout')).toBeLessThan(65);
});

describe.skipIf(!hasProgram('nginx', 'nginx'))('nginx', () => {
  test.each([
    ['as it is', text],
    ['with one replica for each caller', text.replace('# hash ', 'hash ')],
  ])('takes nginx.conf %s', (_how, template) => {
    const { file, remove } = configure('5299', ['5298', '5297'], template);
    onTestFinished(remove);
    expect(check(file)).toEqual({ status: 0, text: expect.stringContaining('test is successful') });
  });

  test('hides that replicas restart in turn: nothing is lost, wrong or made twice', async () => {
    const { answered, mutations, ...faults } = await restartInTurn({
      restarts: 2,
      callers: 8,
      latencyMs: 5,
    });
    expect(answered).toBeGreaterThan(8);
    expect(mutations).toBeGreaterThan(0);
    expect({ ...faults, nginxErrors: '' }).toEqual({
      refused: 0,
      wrong: [],
      lost: [],
      statuses: [0, 0],
      madeTwice: [],
      neverMade: [],
      nginxErrors: '',
    });
  });
});
