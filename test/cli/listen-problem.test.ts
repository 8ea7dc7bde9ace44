import { expect, test } from 'vitest';
import { listenProblem } from '../../src/cli/serve.ts';

const coded = (code: string) => Object.assign(new Error('in the words of Node'), { code, port: 80 });

test.each([
  ['EADDRINUSE', /^Port 80 .* set PORT .*\(EADDRINUSE\)\.$/],
  ['EACCES', /^This user .* port 80: set PORT .*\(EACCES\)\.$/],
  ['EADDRNOTAVAIL', /^HOST .*\(EADDRNOTAVAIL\)\.$/],
  ['ENOTFOUND', /^HOST .*\(ENOTFOUND\)\.$/],
  ['EMFILE', /^in the words of Node$/],
])('%s is told with the setting to change', (code, words) => {
  expect(listenProblem(coded(code))).toMatch(words);
});

test.each([[new TypeError('a bug')], ['text']])('%s is no problem of listening', (error) => {
  expect(listenProblem(error)).toBeUndefined();
});
