import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOutageNotes } from '../../../src/cli/changes/outage-notes.ts';
import { CommandFailure } from '../../../src/cli/failure.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('a notice long after the one before is of another outage', () => {
  const said: string[] = [];
  const notes = createOutageNotes({ write: (text: string) => said.push(text) }, false, (text) => text);
  const failure = new CommandFailure('Down.', { code: 'UPSTREAM_UNAVAILABLE', retryAfterMs: 30_000 });
  for (const [waitMs, count] of [
    [0, 1],
    [31_000, 1],
    [89_000, 1],
    [91_000, 2],
  ] as const) {
    vi.advanceTimersByTime(waitMs);
    notes.unreadable(failure);
    expect(said).toHaveLength(count);
  }
});

test('quiet leaves out all but failures', () => {
  const said: string[] = [];
  const notes = createOutageNotes({ write: (text: string) => said.push(text) }, true, (text) => text);
  const failure = new CommandFailure('Down.', { code: 'UPSTREAM_UNAVAILABLE' });
  notes.connected();
  notes.unreadable(failure);
  notes.disconnected(failure);
  notes.connected();
  expect(said).toEqual([]);
  notes.untold(failure);
  expect(said).toEqual(['A change is left out, since its record cannot be read: Down.\n']);
});
