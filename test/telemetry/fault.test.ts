import { expect, test } from 'vitest';
import { faultDetails } from '../../src/telemetry/log.ts';

const STACK = `TypeError: s3cret
    at s3cret
    at parse (file:///app/dist/rest/json.js:12:34)
    at async RestSession.send (/app/dist/rest/session.js:101:7)
    at /app/dist/main.js:8:17
    at new Walk (C:\\app\\dist\\walk.js:3:1)
    at process.emit (node:events:524:28)
    at eval (data:text/javascript,throw%20s3cret:1:1)
    at Object.<anonymous> (/app/dist/gateway.ts:5:6)`;

test('of an unexpected error, its name and where it was thrown may be logged, and nothing else', () => {
  const error = Object.assign(new TypeError('s3cret'), { stack: STACK });
  expect(faultDetails(error)).toEqual({
    error: 'TypeError',
    at: [
      'parse json.js:12',
      'RestSession.send session.js:101',
      'main.js:8',
      'new Walk walk.js:3',
      'Object.<anonymous> gateway.ts:5',
    ],
  });
});

test.each([
  ['s3cret', { error: 'string' }],
  [null, { error: 'object' }],
  [Object.assign(new Error('s3cret'), { stack: undefined }), { error: 'Error', at: [] }],
])('of %o, which is thrown, no more than this', (thrown, details) => {
  expect(faultDetails(thrown)).toEqual(details);
});
