import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { makeFolder } from '../export/support.ts';
import {
  change,
  complete,
  type FakeStream,
  failure,
  HEARTBEAT,
  lineOf,
  next,
  startFakeGateway,
  told,
} from './fake-gateway.ts';
import { follow } from './support.ts';

const END: FakeStream = { parts: [failure('FORBIDDEN', { ends: true, cursor: 'last' }), complete('last')] };

/** Follows streams up to their last, which ends it for good. */
async function followAll(...streams: FakeStream[]) {
  const gateway = await startFakeGateway([...streams, END]);
  const followed = await follow(gateway.url, { start: { after: 'start' } });
  await expect(followed.ended).rejects.toThrow('This is FORBIDDEN. (FORBIDDEN)');
  return { ...followed, starts: gateway.starts() };
}

const changes = [0, 1, 2, 3].map((index) => change(index));
const first = told(change(0));
const second = told(change(1));
const third = told(change(2));
const fourth = told(change(3));
const lines = changes.map(lineOf);
const cursor = (index: number) => `cursor-${index}`;

test('a gateway that is gone is waited for, but not one that never was there', async () => {
  const gateway = await startFakeGateway([{ parts: [first], ending: 'stall' }, { parts: [second] }, END]);
  const { ended, said, lines: told } = await follow(gateway.url, { firstWaitMs: 5 });
  await eventually(() => expect(told).toHaveLength(1));
  gateway.leave();
  await eventually(() => expect(said.at(-1)).toMatch(/^Nothing listens at 127.0.0.1:\d+ \(ECONNREFUSED\): /));
  gateway.comeBack();
  await expect(ended).rejects.toThrow('FORBIDDEN');
  expect(told).toEqual(lines.slice(0, 2));
  gateway.leave();
  const late = await follow(gateway.url);
  await expect(late.ended).rejects.toThrow(`Nothing listens at ${gateway.url.host}`);
  expect(late.said).toEqual([]);
});

test('a gateway that a cursor comes from is waited for, even if it is not there at first', async () => {
  const gateway = await startFakeGateway([{ parts: [first] }, END]);
  gateway.leave();
  const {
    ended,
    said,
    lines: told,
  } = await follow(gateway.url, { start: { after: 'start' }, firstWaitMs: 5 });
  await eventually(() => expect(said).toHaveLength(1));
  gateway.comeBack();
  await expect(ended).rejects.toThrow('FORBIDDEN');
  expect(told).toEqual(lines.slice(0, 1));
  expect(gateway.starts()).toEqual(['start', cursor(0)]);
  expect(said.slice(0, 2)).toEqual([
    expect.stringMatching(/^Nothing listens at .* Connects again\.$/),
    'Connected: each change is a line.',
  ]);
});

describe('what ends a stream is gone on from, after the last cursor', () => {
  test.each<[what: string, stream: FakeStream, start: string, said: RegExp]>([
    [
      'a connection that is cut',
      { parts: [first, second], ending: 'cut' },
      cursor(1),
      /^The connection to .* failed: /,
    ],
    [
      'a connection that ends',
      { parts: [first, second], ending: 'end' },
      cursor(1),
      /^The connection to .* ended\./,
    ],
    [
      'one that is cut in an event',
      { parts: [first, second.slice(0, -1)], ending: 'cut' },
      cursor(0),
      /failed: /,
    ],
    ['one that ends in an event', { parts: [first, second.slice(0, 40)] }, cursor(0), /ended\./],
    [
      'an end without a reason',
      { parts: [first, second, complete(cursor(1))] },
      cursor(1),
      /^The gateway ended the stream/,
    ],
    [
      'a gateway that stops',
      { parts: [first, failure('SERVER_STOPPING', { ends: true, cursor: 'c' }), complete('c')] },
      'c',
      /^This is SERVER_STOPPING/,
    ],
    [
      'a slow reader',
      { parts: [first, failure('SLOW_CONSUMER', { ends: true, cursor: 'c' })] },
      'c',
      /^This is SLOW_CONSUMER/,
    ],
    [
      'a full memory',
      { parts: [first, failure('OVERLOADED', { ends: true, cursor: 'c' })] },
      'c',
      /^This is OVERLOADED/,
    ],
    ['an event that is no JSON', { parts: [first, 'event: next\ndata: {\n\n'] }, cursor(0), /no JSON object/],
    [
      'an event without its record',
      { parts: [first, next({ data: { changes: { eventId: 'x' } } })] },
      cursor(0),
      /without its id/,
    ],
  ])('%s', async (_what, stream, start, reason) => {
    const {
      lines: written,
      said,
      starts,
    } = await followAll(stream, { parts: [third, fourth], ending: 'cut' });
    const before = stream.parts?.includes(second) ? 2 : 1;
    expect(written).toEqual([...lines.slice(0, before), ...lines.slice(2)]);
    expect(starts).toEqual(['start', start, cursor(3)]);
    expect(said[1]).toMatch(reason);
    expect(said[1]).toMatch(/ Connects again\.$/);
    expect(said[2]).toBe('Connected again.');
  });

  test.each<[what: string, stream: FakeStream]>([
    [
      '503 with a code',
      {
        status: 503,
        headers: { 'content-type': 'application/json', 'retry-after': '0' },
        parts: ['{"errors":[{"message":"Full.","extensions":{"code":"OVERLOADED"}}]}'],
      },
    ],
    [
      '502 of a proxy',
      { status: 502, headers: { 'content-type': 'text/html' }, parts: ['<h1>Bad gateway</h1>'] },
    ],
  ])('%s instead of one', async (_what, stream) => {
    const {
      lines: written,
      starts,
      said,
    } = await followAll({ parts: [first], ending: 'cut' }, stream, stream, {
      parts: [second],
      ending: 'cut',
    });
    expect(written).toEqual(lines.slice(0, 2));
    expect(starts).toEqual(['start', cursor(0), cursor(0), cursor(0), cursor(1)]);
    // Two reasons, each of them once.
    expect(said.filter((text) => text.endsWith('Connects again.'))).toHaveLength(3);
  });

  test('a connection on which not even a heartbeat comes', async () => {
    const gateway = await startFakeGateway([
      { parts: [HEARTBEAT, first], ending: 'stall' },
      { parts: [second], ending: 'stall' },
    ]);
    const { lines: written, said } = await follow(gateway.url, { silenceMs: 200 });
    await eventually(() => expect(written).toEqual(lines.slice(0, 2)));
    expect(gateway.starts()[1]).toBe(cursor(0));
    expect(said[1]).toMatch(/failed: UND_ERR_BODY_TIMEOUT\. Connects again\.$/);
  });

  test('one that broke before its first event, from where it began', async () => {
    const gateway = await startFakeGateway([
      { parts: [':\nid: begin\n\n'], ending: 'cut' },
      { parts: [first], ending: 'cut' },
      END,
    ]);
    const followed = await follow(gateway.url, { start: { since: '2025-06-30T10:00:00Z' } });
    await expect(followed.ended).rejects.toThrow('FORBIDDEN');
    expect(gateway.starts()).toEqual(['2025-06-30T10:00:00Z', 'begin', cursor(0)]);
    expect(followed.cursors).toEqual(['begin', cursor(0), 'last']);
  });

  test('and from the cursor that a quiet stream tells', async () => {
    const { starts } = await followAll({ parts: [HEARTBEAT, 'id: quiet\n\n'], ending: 'cut' });
    expect(starts).toEqual(['start', 'quiet']);
  });
});

describe('what is told again after a resume', () => {
  test('is written once', async () => {
    const { lines: written } = await followAll(
      { parts: [first, second], ending: 'cut' },
      { parts: [first, second, third], ending: 'cut' },
    );
    expect(written).toEqual(lines.slice(0, 3));
  });

  test('is written again if its record has changed and changed back', async () => {
    const states = [1, 2, 1].map((version, index) => change(index, { id: 'x', version }));
    const { lines: written } = await followAll(
      { parts: states.slice(0, 2).map((each) => told(each)), ending: 'cut' },
      { parts: states.slice(1).map((each) => told(each)), ending: 'cut' },
    );
    expect(written).toEqual(states.map(lineOf));
  });
});

test.each([
  ['brought nothing new', first],
  ['was opened at once itself', second],
])('a gateway that ends each stream is not asked again at once if the stream %s', async (_what, event) => {
  const stopping = failure('SERVER_STOPPING', { ends: true, cursor: 'c' });
  const gateway = await startFakeGateway([
    { parts: [first, stopping] },
    { parts: [event, stopping] },
    { parts: [third], ending: 'stall' },
  ]);
  await follow(gateway.url, { firstWaitMs: 20_000 });
  await eventually(() => expect(gateway.requests).toHaveLength(2));
  // At once, it would have come by now.
  await setTimeout(50);
  expect(gateway.requests).toHaveLength(2);
});

describe('notices', () => {
  const notice = failure('UPSTREAM_UNAVAILABLE', { ends: false, cursor: 'notice', retryAfter: 5 });

  test('are told once in an outage, and again in the next', async () => {
    const limited = failure('RATE_LIMITED', { ends: false, retryAfter: 5 });
    const {
      lines: written,
      said,
      starts,
    } = await followAll({
      parts: [first, notice, notice, limited, notice, second, notice, notice],
      ending: 'cut',
    });
    expect(written).toEqual(lines.slice(0, 2));
    expect(said.slice(1, 4)).toEqual([
      'This is UPSTREAM_UNAVAILABLE. (UPSTREAM_UNAVAILABLE) The gateway tries again.',
      'This is RATE_LIMITED. (RATE_LIMITED) The gateway tries again.',
      'This is UPSTREAM_UNAVAILABLE. (UPSTREAM_UNAVAILABLE) The gateway tries again.',
    ]);
    expect(starts).toEqual(['start', 'notice']);
  });
});

describe('an event', () => {
  test('tells the fields that could not be read', async () => {
    const errors = [
      { message: 'No.', path: ['changes', 'debtor', 'labels', 0], extensions: { code: 'X', requestId: 'r' } },
    ];
    const { lines: written } = await followAll({
      parts: [told(change(0), errors)],
      ending: 'cut',
    });
    expect(written).toEqual([{ ...lines[0], errors: [{ message: 'No.', code: 'X', path: ['labels', 0] }] }]);
  });

  test.each([
    { path: ['changes', 'debtor', 'name'], extensions: {} },
    { path: ['changes', 'debtor', 'name'], extensions: { ends: false, cursor: 'broken' } },
    { extensions: { ends: false } },
  ])('that cannot be told is said, and the stream goes on (%j)', async ({ extensions, ...where }) => {
    const errors = [
      {
        message: 'It has no name.',
        ...where,
        extensions: { code: 'UPSTREAM_INVALID_RESPONSE', ...extensions },
      },
    ];
    const {
      lines: written,
      said,
      starts,
    } = await followAll({
      parts: [first, next({ data: null, errors }, 'broken')],
      ending: 'cut',
    });
    expect(written).toEqual(lines.slice(0, 1));
    expect(said[1]).toBe(
      'A change is left out, since its record cannot be read: It has no name. (UPSTREAM_INVALID_RESPONSE)',
    );
    expect(starts).toEqual(['start', 'broken']);
  });
});

describe('a failure that no further stream mends', () => {
  test.each<[what: string, stream: FakeStream, message: string]>([
    [
      'a refused argument',
      {
        parts: [
          next({ errors: [{ message: 'No.', path: ['changes'], extensions: { code: 'BAD_USER_INPUT' } }] }),
          complete(),
        ],
      },
      'No. (BAD_USER_INPUT)',
    ],
    [
      'an end of 90 days',
      { parts: [failure('CHANGES_EXPIRED', { ends: true })] },
      'This is CHANGES_EXPIRED.',
    ],
    [
      'a document that is not valid',
      { parts: [next({ errors: [{ message: 'No.', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] })] },
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'JSON instead of a stream',
      {
        headers: { 'content-type': 'application/json' },
        parts: ['{"errors":[{"message":"No.","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}'],
      },
      'PERSISTED_QUERY_NOT_FOUND',
    ],
    [
      'a page',
      { headers: { 'content-type': 'text/html' }, parts: ['<h1>'] },
      'This is not the endpoint of a gateway that reports changes: it answered with text/html.',
    ],
    [
      'another address',
      { status: 308, headers: { location: 'http://elsewhere/' } },
      'redirects to http://elsewhere/',
    ],
    ['404', { status: 404 }, 'status 404'],
  ])('%s', async (_what, stream, message) => {
    const gateway = await startFakeGateway([stream]);
    const { ended } = await follow(gateway.url);
    await expect(ended).rejects.toThrow(message);
    expect(gateway.requests).toHaveLength(1);
  });
});

describe('a refused token', () => {
  const refused: FakeStream = {
    parts: [first, failure('UNAUTHENTICATED', { ends: true, cursor: 'refused' }), complete('refused')],
  };

  test('ends it where there is no other', async () => {
    const gateway = await startFakeGateway([refused]);
    const { ended, lines: written } = await follow(gateway.url);
    await expect(ended).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(written).toEqual(lines.slice(0, 1));
  });

  test('is replaced by the one in its file, which is waited for', async () => {
    const file = join(makeFolder(), 'token');
    writeFileSync(file, 'old\n');
    const gateway = await startFakeGateway([refused, { parts: [second], ending: 'stall' }]);
    const { lines: written, said } = await follow(gateway.url, { env: { RECEIVABLES_TOKEN_FILE: file } });
    await eventually(() => expect(said.at(-1)).toContain(`waits up to a minute for another one in ${file}.`));
    writeFileSync(file, '');
    writeFileSync(file, 'new\n');
    await eventually(() => expect(written).toEqual(lines.slice(0, 2)));
    expect(gateway.requests.map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new']);
    expect(gateway.starts()[1]).toBe('refused');
  });
});

describe('it is stopped', () => {
  test('after the line in hand', async () => {
    const gateway = await startFakeGateway([{ parts: [first + second + third], ending: 'stall' }]);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const followed = await follow(gateway.url, { write: () => held });
    await eventually(() => expect(followed.said).toHaveLength(1));
    const stopped = followed.stop();
    release();
    await stopped;
    expect(followed.lines.length).toBeLessThanOrEqual(1);
    expect(followed.cursors).toEqual(followed.lines.map((line) => line.cursor));
  });

  test('but a reader that has gone meanwhile is told', async () => {
    const gateway = await startFakeGateway([{ parts: [first], ending: 'stall' }]);
    let breakPipe = (_error: Error) => {};
    const broken = new Promise<void>((_resolve, reject) => {
      breakPipe = reject;
    });
    let isWriting = false;
    const write = () => {
      isWriting = true;
      return broken;
    };
    const followed = await follow(gateway.url, { write });
    await eventually(() => expect(isWriting).toBe(true));
    const stopped = followed.stop();
    breakPipe(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await expect(stopped).rejects.toThrow('EPIPE');
    expect(followed.cursors).toEqual([]);
  });

  test('while it waits to connect, as long as the gateway asks', async () => {
    const gateway = await startFakeGateway([{ status: 503, headers: { 'retry-after': '100' } }]);
    const followed = await follow(gateway.url);
    await eventually(() => expect(followed.said).toHaveLength(1));
    // Without the header it would have connected again by now.
    await setTimeout(50);
    await followed.stop();
    expect(gateway.requests).toHaveLength(1);
  });
});
