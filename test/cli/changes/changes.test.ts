import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { makeFolder } from '../../support/resources.ts';
import { ClosingPipe, run, start, startCommand, type TextOutput } from '../support.ts';
import {
  change,
  changeEvent,
  complete,
  type FakeGateway,
  type FakeStream,
  failure,
  lineOf,
  next,
  startFakeGateway,
} from './fake-gateway.ts';

const TOKEN = 'a-token-that-nobody-sees';
const COMMAND = ['changes', '--administration', '1001'];
const textOf = (...indexes: number[]) =>
  indexes.map((index) => `${JSON.stringify(lineOf(change(index)))}\n`).join('');
const tell = (...indexes: number[]) => indexes.map((index) => changeEvent(change(index)));
const end = (code: string): FakeStream => ({ parts: [failure(code, { ends: true }), complete()] });

let folder: string;
let state: string;

beforeEach(() => {
  folder = makeFolder();
  state = join(folder, 'state.json');
});

function environmentOf({ url }: FakeGateway): Record<string, string> {
  return { RECEIVABLES_URL: url.href, RECEIVABLES_TOKEN: TOKEN };
}

/** Runs the command until it ends by itself, and checks that it keeps the token to itself. */
async function runChanges(gateway: FakeGateway, args: readonly string[] = []) {
  const result = await run([...COMMAND, ...args], environmentOf(gateway));
  expect(result.output + result.errors).not.toContain(TOKEN);
  return result;
}

function startChanges(gateway: FakeGateway, args: readonly string[] = [], stdout?: TextOutput) {
  return startCommand([...COMMAND, ...args], environmentOf(gateway), stdout && { stdout });
}

/** Runs it until it has printed so many lines, and stops it then. */
async function runUntil(lines: number, gateway: FakeGateway, args: readonly string[] = []) {
  const { output, errors, ended, interrupt } = startChanges(gateway, args);
  await eventually(() => expect(output().split('\n')).toHaveLength(lines + 1));
  interrupt();
  return { status: await ended, output: output(), errors: errors() };
}

const stateOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

test('changes prints a line for each change, with all plain fields, using the token', async () => {
  const gateway = await startFakeGateway([{ parts: tell(0, 1, 2), ending: 'stall' }]);
  const kinds = ['--kinds', 'PAYMENT_DELETED, DEBTOR_CHANGED,PAYMENT_DELETED'];
  expect(await runUntil(3, gateway, [...kinds, '--since', '2025-06-30T10:00:00Z', '--after', ''])).toEqual({
    status: 0,
    output: textOf(0, 1, 2),
    errors: 'Connected.\n',
  });
  const { output: query } = await run(['changes', '--print-query', ...kinds]);
  expect(gateway.requests).toMatchObject([
    {
      authorization: `Bearer ${TOKEN}`,
      body: {
        query: query.trimEnd(),
        variables: {
          administrationId: '1001',
          kinds: ['DEBTOR_CHANGED', 'PAYMENT_DELETED'],
          since: '2025-06-30T10:00:00Z',
        },
      },
    },
  ]);
});

describe('the state file of changes', () => {
  const args = () => ['--state', state];
  const own = { command: 'receivables-graphql changes', administration: '1001' };

  test('never has a later cursor than the last line, and a killed process continues from it', async () => {
    const many = Array.from({ length: 300 }, (_, index) => index);
    const parts = [':\nid: begin\n\n', ...tell(...many)];
    const gateway = await startFakeGateway([{ parts, ending: 'stall' }]);
    // Only a process can be killed.
    const child = start([...COMMAND, ...args()], environmentOf(gateway));
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
      child.kill('SIGKILL');
    });
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
    const { after } = stateOf(state);
    const written = output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).cursor);
    expect(['begin', ...written]).toContain(after);
    const next = startChanges(gateway, [...args(), '--since', '2025-06-30T10:00:00Z', '--after', 'x']);
    await eventually(() => expect(gateway.starts()).toEqual([undefined, after]));
    expect(next.errors()).toMatch(/^Resuming after the last change in .*state\.json\.\n/);
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  test.each<[what: string, content: string]>([
    ['of another administration', JSON.stringify({ ...own, administration: '2' })],
    ['of other kinds', JSON.stringify({ ...own, kinds: ['A'] })],
    ['that is empty', ''],
    ['of an export', JSON.stringify({ document: 'a', after: 'c' })],
  ])('%s is rejected and not changed', async (_what, content) => {
    const gateway = await startFakeGateway([]);
    writeFileSync(state, content);
    const { status, errors } = await runChanges(gateway, args());
    expect(status).toBe(2);
    expect(errors).toContain(
      `${state} is damaged, or is not the state of these changes. Choose another file`,
    );
    expect(readFileSync(state, 'utf8')).toBe(content);
    expect(gateway.requests).toHaveLength(0);
  });

  test('ends the command before any request if it cannot be written', async () => {
    const gateway = await startFakeGateway([]);
    const { status, errors } = await runChanges(gateway, ['--state', join(folder, 'missing', 'state.json')]);
    expect({ status, errors }).toEqual({ status: 1, errors: expect.stringMatching(/^ENOENT: .*\n$/) });
    expect(gateway.requests).toHaveLength(0);
  });
});

test('changes ends quietly when nobody reads its output, and repeats lines that may be unread', async () => {
  const many = Array.from({ length: 500 }, (_, index) => ({ ...change(index), name: 'x'.repeat(2_000) }));
  const stream: FakeStream = { parts: [many.map((each) => changeEvent(each)).join('')], ending: 'stall' };
  const gateway = await startFakeGateway([stream, stream]);
  const stateBehind = async (length: number) => {
    const args = ['--quiet', '--state', state, '--after', 'begin'];
    const { ended, errors } = startChanges(gateway, args, new ClosingPipe(length));
    expect([await ended, errors()]).toEqual([0, '']);
    return stateOf(state).after;
  };
  expect(await stateBehind(5_000)).toBe('begin');
  const [, place] = /^cursor-(\d+)$/.exec(await stateBehind(600_000)) ?? [];
  expect(Number(place)).toBeGreaterThan(0);
  // More than a pipe holds.
  expect(Number(place)).toBeLessThan(250);
});

test.each<[code: string, status: number, advice: string]>([
  ['BAD_USER_INPUT', 2, ''],
  ['CHANGES_EXPIRED', 3, ' Delete STATE to start again.'],
  ['UNAUTHENTICATED', 4, ''],
  ['FORBIDDEN', 1, ''],
])('changes ends with a status for each error code: %s: %i', async (code, status, advice) => {
  const gateway = await startFakeGateway([end(code)]);
  const errors = `This is ${code}. (${code})${advice.replace('STATE', state)}\n`;
  expect(await runChanges(gateway, ['--state', state, '--quiet'])).toEqual({ status, output: '', errors });
});

describe('when a stream ends, changes resumes after the last cursor', () => {
  const [first = '', second = '', third = ''] = tell(0, 1, 2);
  const stopped = (code: string): FakeStream => ({
    parts: [first, failure(code, { ends: true, cursor: 'c' })],
  });
  const json = { 'content-type': 'application/json', 'retry-after': '0' };
  const full = '{"errors":[{"message":"Full.","extensions":{"code":"OVERLOADED"}}]}';

  /** Follows streams up to one that ends it for good. */
  async function runAll(...streams: FakeStream[]) {
    const gateway = await startFakeGateway([...streams, end('FORBIDDEN')]);
    const { status, output, errors } = await runChanges(gateway, ['--after', 'start']);
    expect(status).toBe(1);
    return { output, said: errors.split('\n'), starts: gateway.starts() };
  }

  const both = [first, second];

  test.each<[stream: FakeStream, start: string, said: RegExp]>([
    [{ parts: both, ending: 'cut' }, 'cursor-1', /^The connection to .* failed: /],
    [{ parts: both }, 'cursor-1', /^The connection to .* ended\./],
    [{ parts: [...both, complete('cursor-1')] }, 'cursor-1', /ended the stream/],
    [stopped('SERVER_STOPPING'), 'c', /^This is SERVER_STOPPING/],
    [{ parts: [first, 'event: next\ndata: {\n\n'] }, 'cursor-0', /not a JSON object/],
  ])('after %j', async (stream, start, reason) => {
    const { output, said, starts } = await runAll(stream, { parts: tell(2, 3), ending: 'cut' });
    expect(output).toBe(textOf(...(stream.parts?.includes(second) ? [0, 1, 2, 3] : [0, 2, 3])));
    expect(starts).toEqual(['start', start, 'cursor-3']);
    expect(said[1]).toMatch(reason);
    expect(said[1]).toMatch(/ Retrying in 1 s\.$/);
    expect(said[2]).toBe('Connected.');
  });

  test('and reports a temporary rejection once', async () => {
    const stream: FakeStream = { status: 503, headers: json, parts: [full] };
    const cut = (part: string): FakeStream => ({ parts: [part], ending: 'cut' });
    const { output, starts, said } = await runAll(cut(first), stream, stream, cut(second));
    expect(output).toBe(textOf(0, 1));
    expect(starts).toEqual(['start', 'cursor-0', 'cursor-0', 'cursor-0', 'cursor-1']);
    expect(said.filter((text) => text.includes(' Retrying in '))).toHaveLength(3);
  });

  test('and prints a repeated event once, unless the record changed and changed back', async () => {
    const states = [1, 2, 1].map((version, index) => change(index, { id: 'x', version }));
    const { output } = await runAll(
      { parts: [first, second, ...states.slice(0, 2).map((state) => changeEvent(state))], ending: 'cut' },
      { parts: [first, second, third, ...states.slice(1).map((state) => changeEvent(state))], ending: 'cut' },
    );
    const [one, two, three] = states.map((state) => `${JSON.stringify(lineOf(state))}\n`);
    expect(output).toBe(`${textOf(0, 1)}${one}${two}${textOf(2)}${three}`);
  });

  test('and waits for the gateway if it is down, also at the start', async () => {
    const gateway = await startFakeGateway([
      { parts: [first], ending: 'stall' },
      { parts: [second], ending: 'stall' },
    ]);
    gateway.leave();
    const { output, errors } = startChanges(gateway, ['--after', 'start']);
    await eventually(() => expect(errors()).toMatch(/^Nothing listens at .* Retrying in 1 s\.\n/));
    gateway.comeBack();
    await eventually(() => expect(output()).toBe(textOf(0)));
    gateway.leave();
    await eventually(() => expect(errors()).toMatch(/Connected\.\nThe connection .*\nNothing listens/));
    gateway.comeBack();
    await eventually(() => expect(output()).toBe(textOf(0, 1)));
    expect(gateway.starts()).toEqual(['start', 'cursor-0']);
  });

  test('and prints a notice, but not twice in a row', async () => {
    const notice = failure('UPSTREAM_UNAVAILABLE', { ends: false, cursor: 'notice', retryAfter: 5 });
    const limited = failure('RATE_LIMITED', { ends: false, retryAfter: 5 });
    const parts = [first, notice, notice, limited, notice, second, notice, notice];
    const { output, said, starts } = await runAll({ parts, ending: 'cut' });
    expect(output).toBe(textOf(0, 1));
    expect(said.slice(1, 4)).toEqual([
      'This is UPSTREAM_UNAVAILABLE. (UPSTREAM_UNAVAILABLE) The gateway is retrying.',
      'This is RATE_LIMITED. (RATE_LIMITED) The gateway is retrying.',
      'This is UPSTREAM_UNAVAILABLE. (UPSTREAM_UNAVAILABLE) The gateway is retrying.',
    ]);
    expect(starts).toEqual(['start', 'notice']);
  });

  test('and prints the fields of an event that could not be read', async () => {
    const path = ['changes', 'debtor', 'labels', 0];
    const errors = [{ message: 'No.', path, extensions: { code: 'X', requestId: 'r' } }];
    const { output } = await runAll({ parts: [changeEvent(change(0), errors)], ending: 'cut' });
    expect(JSON.parse(output).errors).toEqual([{ message: 'No.', code: 'X', path: ['labels', 0] }]);
  });

  test('and reports an event that could not be sent', async () => {
    const errors = [{ message: 'It has no name.', extensions: { code: 'X', ends: false } }];
    const parts = [first, next({ data: null, errors }, 'broken')];
    const { output, said, starts } = await runAll({ parts, ending: 'cut' });
    expect(output).toBe(textOf(0));
    expect(said[1]).toBe('A change was omitted because its record cannot be read: It has no name. (X)');
    expect(starts).toEqual(['start', 'broken']);
  });
});

test('if a token is rejected, changes waits for another one in its file', async () => {
  const file = join(folder, 'token');
  writeFileSync(file, 'old\n');
  const refused = failure('UNAUTHENTICATED', { ends: true, cursor: 'refused' });
  const gateway = await startFakeGateway([
    { parts: [...tell(0), refused] },
    { parts: tell(1), ending: 'stall' },
  ]);
  const env = { RECEIVABLES_URL: gateway.url.href, RECEIVABLES_TOKEN_FILE: file };
  const { output, errors } = startCommand(COMMAND, env);
  await eventually(() => expect(errors()).toContain(`Waiting up to a minute for a new one in ${file}.`));
  writeFileSync(file, '');
  writeFileSync(file, 'new\n');
  await eventually(() => expect(output()).toBe(textOf(0, 1)));
  expect(gateway.requests.map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new']);
  expect(gateway.starts()[1]).toBe('refused');
});
