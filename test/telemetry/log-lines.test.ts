import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLogger, createThrottledWarning, getSafeDetails } from '../../src/telemetry/log.ts';

describe('a line of the log', () => {
  const details = {
    requestId: 'a.b-c',
    name: undefined,
    codes: ['A', 'B'],
    none: [],
    text: 'two "words"\n',
    nothing: null,
    count: 3,
  };

  function lineOf(logFormat: 'json' | 'pretty'): string {
    const output = new PassThrough({ encoding: 'utf8' });
    createLogger({ logLevel: 'operations', logFormat }, output).log('info', 'an "event"', details);
    return output.read();
  }

  test('is JSON with LOG_FORMAT=json', () => {
    const { time, ...rest } = JSON.parse(lineOf('json'));
    expect(new Date(time).toISOString()).toBe(time);
    const { name: _, ...known } = details;
    expect(rest).toEqual({ level: 'info', message: 'an "event"', ...known });
  });

  test('is short with LOG_FORMAT=pretty, and omits unknown members', () => {
    expect(lineOf('pretty')).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} info {2}an "event" requestId=a\.b-c codes=A,B none=- text="two \\"words\\"\\n" nothing=null count=3\n$/,
    );
  });
});

test('one of several similar warnings is logged every ten seconds', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const logged: unknown[] = [];
  const warn = createThrottledWarning((_level, _message, details) => logged.push(details));
  for (const endpoint of ['a', 'b', 'a', 'b']) warn('failed', { endpoint });
  expect(logged).toEqual([{ endpoint: 'a' }, { endpoint: 'b' }]);
  vi.advanceTimersByTime(10_000);
  warn('failed', { endpoint: 'a' });
  expect(logged).toHaveLength(3);
});

const STACK = `TypeError: s3cret
    at s3cret
    at parse (file:///app/dist/rest/json.js:12:34)
    at async RestSession.send (/app/dist/rest/session.js:101:7)
    at /app/dist/main.js:8:17
    at new Walk (C:\\app\\dist\\walk.js:3:1)
    at process.emit (node:events:524:28)
    at eval (data:text/javascript,throw%20s3cret:1:1)
    at Object.<anonymous> (/app/dist/gateway.ts:5:6)`;
const PLACES = [
  'parse json.js:12',
  'RestSession.send session.js:101',
  'main.js:8',
  'new Walk walk.js:3',
  'Object.<anonymous> gateway.ts:5',
];

test.each([
  [Object.assign(new TypeError('s3cret'), { stack: STACK }), { error: 'TypeError', at: PLACES }],
  [Object.assign(new Error('s3cret'), { stack: undefined }), { error: 'Error', at: [] }],
  ['s3cret', { error: 'string' }],
  [null, { error: 'object' }],
])('a thrown %o is logged only with its name and stack locations', (thrown, details) => {
  expect(getSafeDetails(thrown)).toEqual(details);
});
