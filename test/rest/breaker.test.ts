import { expect, test } from 'vitest';
import { Breaker } from '../../src/rest/client/breaker.ts';
import { RestError } from '../../src/rest/errors.ts';

const upstream = { method: 'GET', path: '/v1/debtors' };
const answered = (status: number) =>
  new RestError(status >= 500 ? 'UPSTREAM_UNAVAILABLE' : 'NOT_FOUND', '', {
    upstream: { ...upstream, status },
    fault: 'status_5xx',
  });
const SILENT = new RestError('UPSTREAM_TIMEOUT', '', { upstream, fault: 'answer_timeout' });
const UNREACHED = new RestError('UPSTREAM_UNAVAILABLE', '', { upstream, fault: 'connection_refused' });
const CANCELLED = new RestError('UPSTREAM_TIMEOUT', 'The operation took too long.');

function breaker() {
  const clock = { now: 0 };
  const changes: unknown[] = [];
  const made = new Breaker(
    (...change) => changes.push(change),
    () => clock.now,
  );
  const call = (error?: unknown) => {
    made.begin();
    made.end(error);
  };
  const fail = (times: number, error: unknown = UNREACHED) => {
    for (let failure = 0; failure < times; failure += 1) call(error);
  };
  return { breaker: made, clock, changes, call, fail };
}

test.each([
  [UNREACHED, 'connection_refused'],
  [SILENT, 'answer_timeout'],
  [answered(502), 'status_5xx'],
  [answered(503), 'status_5xx'],
  [answered(504), 'status_5xx'],
])('opens after 20 failures, and says why the last one failed', (error, fault) => {
  const { breaker: opening, changes, fail, call } = breaker();
  fail(19, error);
  expect([opening.state, changes]).toEqual(['closed', []]);
  fail(1, error);
  expect([opening.state, changes]).toEqual(['open', [['open', fault]]]);
  expect(() => call()).toThrow(expect.objectContaining({ code: 'UPSTREAM_UNAVAILABLE', retryAfter: 1 }));
});

test.each([
  ['a success', undefined],
  ['a 404', answered(404)],
  ['a 500', answered(500)],
])('begins to count anew after %s', (_what, outcome) => {
  const { breaker: kept, call, fail } = breaker();
  fail(19);
  call(outcome);
  fail(19);
  expect(kept.state).toBe('closed');
});

test.each([
  ['a call that was cancelled', CANCELLED],
  ['an error of the gateway', new Error('unforeseen')],
])('%s shows nothing', (_what, outcome) => {
  const { breaker: opening, fail } = breaker();
  fail(19);
  fail(30, outcome);
  expect(opening.state).toBe('closed');
  fail(1);
  expect(opening.state).toBe('open');
});

test('sends one probe a second, until one is answered', () => {
  const { breaker: probed, clock, changes, fail } = breaker();
  fail(20);
  clock.now = 999;
  expect(() => probed.begin()).toThrow();
  clock.now = 1000;
  expect(probed.begin()).toBe(true);
  expect(probed.state).toBe('half-open');
  expect(() => probed.begin()).toThrow();
  probed.end(SILENT);
  expect(probed.state).toBe('open');
  clock.now = 2000;
  // Not answered yet when the next one may be sent.
  expect([probed.begin(), changes.length]).toEqual([true, 1]);
  clock.now = 3000;
  expect(probed.begin()).toBe(true);
  probed.end();
  expect([probed.state, probed.begin(), changes[1]]).toEqual(['closed', false, ['closed', undefined]]);
});
