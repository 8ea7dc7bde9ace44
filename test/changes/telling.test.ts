import { expect, test } from 'vitest';
import { retryDelay } from '../../src/changes/endings.ts';
import { Follower } from '../../src/changes/follower.ts';
import { ChangeStream } from '../../src/changes/stream.ts';
import { Telling } from '../../src/changes/telling.ts';
import { Told } from '../../src/changes/told.ts';
import { RestError } from '../../src/rest/errors.ts';
import { fieldsOf } from '../../src/rest/fields.ts';
import { asciiText, DECODED_TEXT } from '../../src/rest/wire-text.ts';
import { times } from '../support/times.ts';
import { source } from './source.ts';

function followers(count: number): Follower[] {
  const fields = fieldsOf(['name']);
  return times(count, () => {
    const stream = new ChangeStream({ administrationId: '1001', hold() {}, onClose() {} });
    const follower = new Follower(stream, { source, fields }, { mark: 0 });
    follower.told = undefined;
    return follower;
  });
}

test('a page for hundreds of streams is told in turns with everybody else', async () => {
  const audience = { fields: fieldsOf(['name']), told: new Told(), followers: followers(300) };
  const telling = new Telling([audience], {
    source,
    administrationId: '1001',
    text: DECODED_TEXT,
    walk: 1,
    mark: 0,
    lookbackMs: 1_000,
    beforeTelling: () => undefined,
  });
  const rows = times(500, (index) => ({
    id: asciiText(String(index)),
    name: 'a',
    updated_at: '2026-01-01T00:00:00Z',
  }));
  let turns = 0;
  let isTold = false;
  const count = () => {
    turns += 1;
    if (!isTold) setImmediate(count);
  };
  setImmediate(count);
  await telling.tell({ rows, bytes: 50_000, start: Date.parse('2026-01-01T00:00:01Z') });
  isTold = true;
  // In one go it would be none, or one.
  expect(turns).toBeGreaterThan(3);
  for (const { stream } of audience.followers) expect(stream.takeNow()).toMatchObject({ record: rows[0] });
});

const limited = (retryAfter: number) => new RestError('RATE_LIMITED', 'Slow down.', { retryAfter });

test.each([
  ['twice the interval after a failure', new Error('no'), 1, 10_000],
  ['four times after the next', new Error('no'), 2, 20_000],
  ['a minute at most by itself', new Error('no'), 50, 60_000],
  ['as long as the service asks', limited(120), 1, 120_000],
  ['no shorter than without its asking', limited(1), 3, 40_000],
  ['five minutes, whatever the service asks', limited(9_999_999), 1, 300_000],
])('a poller waits %s', (_what, error, failures, expected) => {
  expect(retryDelay(error, 5_000, failures)).toBe(expected);
});
