import { describe, expect, test } from 'vitest';
import { retryDelay } from '../../src/changes/endings.ts';
import { Follower, SentContents } from '../../src/changes/follower.ts';
import { ChangeStream } from '../../src/changes/stream.ts';
import { type Audience, ChangeDelivery } from '../../src/changes/walk-changes.ts';
import { RestError } from '../../src/rest/errors.ts';
import { fieldsOf } from '../../src/rest/fields.ts';
import type { Row } from '../../src/rest/resource.ts';
import { asText, DECODED_TEXT } from '../../src/rest/wire-text.ts';
import { times } from '../support/times.ts';
import { source } from './source.ts';

function followers(count: number): Follower[] {
  const fields = fieldsOf(['name']);
  return times(count, () => {
    const stream = new ChangeStream({ administrationId: '1001', hold() {}, onClose() {} });
    const follower = new Follower(stream, { source, fields }, { mark: 0 });
    follower.sent = undefined;
    return follower;
  });
}

/** Tells rows, and counts the turns of the event loop that others had meanwhile. */
async function turnsWhileTelling(audiences: readonly Audience[], rows: readonly Row[]): Promise<number> {
  const delivery = new ChangeDelivery(audiences, {
    source,
    administrationId: '1001',
    session: { text: DECODED_TEXT, owner: 'owner' },
    walk: 1,
    mark: 0,
    lookbackMs: 1_000,
    caller: { dropCached: () => undefined },
  });
  let turns = 0;
  let isTold = false;
  const count = () => {
    turns += 1;
    if (!isTold) setImmediate(count);
  };
  setImmediate(count);
  await delivery.send({ rows, bytes: 50_000, start: Date.parse('2026-01-01T00:00:01Z') });
  isTold = true;
  return turns;
}

const rowOf = (id: string, name = 'a') => ({ id: asText(id), name, updated_at: '2026-01-01T00:00:00Z' });

// In one go it would be none, or one.
describe('others have their turns', () => {
  test('while a page is told to a hundred streams', async () => {
    const audience = { fields: fieldsOf(['name']), sent: new SentContents(), followers: followers(100) };
    const rows = times(500, (index) => rowOf(String(index)));
    expect(await turnsWhileTelling([audience], rows)).toBeGreaterThan(3);
    for (const { stream } of audience.followers) expect(stream.takeNow()).toMatchObject({ record: rows[0] });
  });

  test('while one large record is told to many selections', async () => {
    const audiences = times(80, (index) => ({
      fields: fieldsOf(['name', `field${index}`]),
      sent: new SentContents(),
      followers: followers(1),
    }));
    const row = rowOf('1', 'a'.repeat(300_000));
    expect(await turnsWhileTelling(audiences, [row])).toBeGreaterThan(3);
    for (const {
      followers: [follower],
    } of audiences)
      expect(follower?.stream.takeNow()).toMatchObject({ record: { id: row.id } });
  });
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
