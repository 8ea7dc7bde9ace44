import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { gather } from '../../support/processes.ts';
import { makeFolder } from '../export/support.ts';
import { FailingOutput, run, start, startCommand, TextOutput } from '../support.ts';
import {
  change,
  complete,
  type FakeGateway,
  type FakeStream,
  failure,
  lineOf,
  startFakeGateway,
  told,
} from './fake-gateway.ts';

const TOKEN = 'a-token-that-nobody-sees';
const COMMAND = ['changes', '--administration', '1001'];
const textOf = (...indexes: number[]) =>
  indexes.map((index) => `${JSON.stringify(lineOf(change(index)))}\n`).join('');
const tell = (...indexes: number[]) => indexes.map((index) => told(change(index)));
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

test('a signal ends it before it has begun', async () => {
  const gateway = await startFakeGateway([]);
  const { ended, interrupt } = startChanges(gateway);
  interrupt();
  expect(await ended).toBe(0);
  expect(gateway.requests).toEqual([]);
});

test('says at once that nothing listens at the address', async () => {
  const gateway = await startFakeGateway([]);
  gateway.leave();
  const { status, errors } = await runChanges(gateway, ['--quiet']);
  expect(status).toBe(1);
  expect(errors).toBe(
    `Nothing listens at ${gateway.url.host} (ECONNREFUSED): is the gateway running there?\n`,
  );
});

const stateOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

test('prints a line for each change, asked for with all plain fields and the token', async () => {
  const gateway = await startFakeGateway([{ parts: tell(0, 1, 2), ending: 'stall' }]);
  const args = ['--kinds', 'PAYMENT_DELETED, DEBTOR_CHANGED', '--since', '2025-06-30T10:00:00Z'];
  expect(await runUntil(3, gateway, args)).toEqual({
    status: 0,
    output: textOf(0, 1, 2),
    errors: 'Connected: each change is a line.\n',
  });
  const [{ authorization, body } = { authorization: undefined, body: undefined }] = gateway.requests;
  expect(authorization).toBe(`Bearer ${TOKEN}`);
  expect(body?.variables).toEqual({
    administrationId: '1001',
    kinds: ['DEBTOR_CHANGED', 'PAYMENT_DELETED'],
    since: '2025-06-30T10:00:00Z',
  });
  const { output: query } = await run([
    'changes',
    '--print-query',
    '--kinds',
    'DEBTOR_CHANGED,PAYMENT_DELETED',
  ]);
  expect(`${body?.query}\n`).toBe(query);
});

describe('the state', () => {
  const args = () => ['--state', state];

  const streams: readonly FakeStream[] = [
    { parts: tell(0, 1), ending: 'stall' },
    { parts: tell(2), ending: 'stall' },
  ];

  test('is what a command that was stopped leaves to the next', async () => {
    const gateway = await startFakeGateway(streams);
    expect((await runUntil(2, gateway, args())).status).toBe(0);
    expect(stateOf(state)).toEqual({
      command: 'receivables-graphql changes',
      administration: '1001',
      after: 'cursor-1',
    });
    const start = ['--since', '2025-06-30T10:00:00Z', '--after', 'x'];
    const { output, errors } = await runUntil(1, gateway, [...args(), ...start]);
    expect(output).toBe(textOf(2));
    expect(errors).toMatch(/^Goes on after the last change of .*state\.json\.\n/);
    expect(gateway.starts()).toEqual([undefined, 'cursor-1']);
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  test('of a process that was killed is never ahead of its lines, nor without a place', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => index);
    const gateway = await startFakeGateway([
      { parts: [':\nid: begin\n\n', ...tell(...many)], ending: 'stall' },
    ]);
    // Only a process can be killed.
    const child = start([...COMMAND, ...args()], environmentOf(gateway));
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
      child.kill('SIGKILL');
    });
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
    const { after } = stateOf(state);
    const lines = output.split('\n').slice(0, -1);
    const written = lines.map((line) => JSON.parse(line).cursor);
    expect(['begin', ...written]).toContain(after);
    // What a killed process leaves is no lock.
    startChanges(gateway, args());
    await eventually(() => expect(gateway.starts()).toEqual([undefined, after]));
  });

  test('is one process for one file, until a signal stops it', async () => {
    const gateway = await startFakeGateway(streams);
    // A process besides the one of the tests, which gets a signal.
    const child = start([...COMMAND, ...args()], environmentOf(gateway));
    const output = gather(child.stdout);
    await eventually(() => expect(stateOf(state).after).toBe('cursor-1'));
    const before = readFileSync(state, 'utf8');
    expect(await runChanges(gateway, args())).toEqual({
      status: 1,
      output: '',
      errors: `Process ${child.pid} is using ${state}: stop it first, or give another --state.\n`,
    });
    expect(readFileSync(state, 'utf8')).toBe(before);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output()).toBe(textOf(0, 1));
    expect(stateOf(state)).toEqual({
      command: 'receivables-graphql changes',
      administration: '1001',
      after: 'cursor-1',
    });
  });

  test('begins where the stream does, before anything has changed', async () => {
    const gateway = await startFakeGateway([{ parts: [':\nid: begin\n\n'], ending: 'stall' }]);
    const { ended, interrupt } = startChanges(gateway, args());
    await eventually(() => expect(stateOf(state)).toMatchObject({ after: 'begin' }));
    interrupt();
    await ended;
    startChanges(gateway, args());
    await eventually(() => expect(gateway.starts()).toEqual([undefined, 'begin']));
  });

  const own = { command: 'receivables-graphql changes', administration: '1001', after: 'c' };

  test.each<[what: string, content: string, says: string]>([
    [
      'of another administration',
      JSON.stringify({ ...own, administration: '1002' }),
      'is of administration 1002, not 1001: give each a --state of its own.',
    ],
    [
      'of other kinds',
      JSON.stringify({ ...own, kinds: ['DEBTOR_CHANGED'] }),
      'is of the kinds DEBTOR_CHANGED, not ALL: give each a --state of its own.',
    ],
    [
      'that is empty',
      '',
      'is broken, or is no state of this command: give another file, or delete it to start anew.',
    ],
    ['that is cut', JSON.stringify(own).slice(0, -3), 'is broken, or is no state'],
    ['of an export', JSON.stringify({ document: 'a', after: 'c' }), 'is broken, or is no state'],
    ['with a cursor that is none', JSON.stringify({ ...own, after: 7 }), 'is broken, or is no state'],
  ])('%s is refused, and left as it is', async (_what, content, says) => {
    const gateway = await startFakeGateway([]);
    writeFileSync(state, content);
    const { status, errors } = await runChanges(gateway, args());
    expect(status).toBe(2);
    expect(errors.startsWith(`${state} ${says}`)).toBe(true);
    expect(readFileSync(state, 'utf8')).toBe(content);
    expect(gateway.requests).toHaveLength(0);
  });

  test('that is a folder or a device is refused', async () => {
    const gateway = await startFakeGateway([]);
    mkdirSync(state);
    const device = join(folder, 'device');
    symlinkSync('/dev/null', device);
    for (const path of [state, device])
      expect(await runChanges(gateway, ['--state', path])).toMatchObject({
        status: 2,
        errors: expect.stringContaining('is no state of this command'),
      });
  });

  test('that cannot be written ends it, before anything is asked for', async () => {
    const gateway = await startFakeGateway([]);
    const { status, errors } = await runChanges(gateway, ['--state', join(folder, 'missing', 'state.json')]);
    expect({ status, errors }).toEqual({
      status: 1,
      errors: expect.stringMatching(/^ENOENT: no such file or directory, open .*\n$/),
    });
    expect(gateway.requests).toHaveLength(0);
  });

  test('that cannot be written any more ends it too', async () => {
    let tellMore = () => {};
    const more = new Promise<string>((resolve) => {
      tellMore = () => resolve(tell(1, 2).join(''));
    });
    const gateway = await startFakeGateway([{ parts: [...tell(0), more], ending: 'stall' }]);
    const ended = runChanges(gateway, [...args(), '--quiet']);
    await eventually(() => expect(stateOf(state).after).toBe('cursor-0'));
    await eventually(() => mkdirSync(`${state}.new`));
    tellMore();
    expect(await ended).toMatchObject({ status: 1, errors: expect.stringMatching(/^EISDIR: /) });
    expect(stateOf(state).after).toBe('cursor-0');
  });
});

/** Runs the command as a process by a line of the shell, in which `"$0" "$@"` stands for it: only that has pipes. */
async function runInShell(line: string, gateway: FakeGateway, args: readonly string[] = []) {
  const options = { env: { PATH: process.env.PATH, ...environmentOf(gateway) } };
  const command = [process.execPath, inject('bundledMain'), ...COMMAND, ...args];
  const result = await promisify(execFile)('sh', ['-c', line, ...command], options).catch((error) => error);
  return { status: result.code ?? 0, output: String(result.stdout), errors: String(result.stderr) };
}

describe('standard output', () => {
  test('that nobody reads any more ends it quietly, and all that may not have been read comes again', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => index);
    const streams: FakeStream = { parts: [tell(...many).join('')], ending: 'stall' };
    const gateway = await startFakeGateway([streams, streams]);
    const readOf = async (lines: number) => {
      const line = `{ "$0" "$@"; echo "status $?" >&2; } | head -n ${lines}`;
      return runInShell(line, gateway, ['--quiet', '--state', state, '--after', 'begin']);
    };
    expect(await readOf(3)).toEqual({ status: 0, output: textOf(0, 1, 2), errors: 'status 0\n' });
    expect(stateOf(state)).toEqual({
      command: 'receivables-graphql changes',
      administration: '1001',
      after: 'begin',
    });
    expect(await readOf(3_000)).toMatchObject({ status: 0, errors: 'status 0\n' });
    const [, place] = /^cursor-(\d+)$/.exec(stateOf(state).after) ?? [];
    expect(Number(place)).toBeGreaterThan(0);
    expect(Number(place)).toBeLessThan(3_000);
  });

  test('that is closed is refused, and a full one is told', async () => {
    const gateway = await startFakeGateway([{ parts: tell(0), ending: 'stall' }]);
    expect(await runInShell('exec "$0" "$@" >&-', gateway)).toMatchObject({
      status: 1,
      errors: 'Standard output is closed or discarded: the changes would be lost.\n',
    });
    const stdout = new FailingOutput('ENOSPC', 'ENOSPC: no space left on device, write');
    const full = startChanges(gateway, ['--state', state, '--quiet'], stdout);
    expect({ status: await full.ended, errors: full.errors() }).toEqual({
      status: 1,
      errors: 'ENOSPC: no space left on device, write.\n',
    });
    expect(stateOf(state).after).toBeUndefined();
  });

  test('that is not read is no reason to be killed: a signal ends it when the line is through', async () => {
    const gateway = await startFakeGateway([{ parts: tell(0, 1, 2), ending: 'stall' }]);
    const stdout = new SlowOutput();
    const { output, ended, interrupt } = startChanges(gateway, ['--state', state], stdout);
    await eventually(() => expect(output()).toBe(textOf(0)));
    stdout.take();
    await eventually(() => expect(output()).toBe(textOf(0, 1)));
    interrupt();
    stdout.take();
    expect(await ended).toBe(0);
    expect(output()).toBe(textOf(0, 1));
    expect(stateOf(state).after).toBe('cursor-1');
  });
});

/** Takes a line only when it is told to. */
class SlowOutput extends TextOutput {
  take: () => void = () => {};

  override _write(chunk: string, encoding: string, done: () => void): void {
    super._write(chunk, encoding, () => {
      this.take = done;
    });
  }
}

describe('the status tells a script what to do', () => {
  test.each<[code: string, status: number, advice: string]>([
    ['BAD_USER_INPUT', 2, ''],
    ['CHANGES_EXPIRED', 3, ' Delete STATE, start again, and then read everything anew.'],
    [
      'UNAUTHENTICATED',
      4,
      ' A token in the file that RECEIVABLES_TOKEN_FILE names can be replaced while this command runs.',
    ],
    ['FORBIDDEN', 1, ''],
  ])('%s: %i', async (code, status, advice) => {
    const gateway = await startFakeGateway([end(code)]);
    expect(await runChanges(gateway, ['--state', state, '--quiet'])).toEqual({
      status,
      output: '',
      errors: `This is ${code}. (${code})${advice.replace('STATE', state)}\n`,
    });
    expect(stateOf(state).pid).toBeUndefined();
  });

  test.each<[what: string, args: string[], says: string]>([
    [
      'a kind that is none',
      ['--kinds', 'DEBTOR_CHANGE'],
      'Did you mean the enum value "DEBTOR_CHANGED"? It takes DEBTOR_CHANGED, ',
    ],
    [
      'a field that no kind has',
      ['--kinds', 'DEBTOR_CHANGED', '--fields', 'amount'],
      '--fields: no record of these kinds has amount.',
    ],
    ['a wrong address', ['--url', `http://a:${TOKEN}@b/`], '--url takes the address of a gateway, such as'],
  ])('2 for %s', async (_what, args, says) => {
    const { status, output, errors } = await run([...COMMAND, ...args], { RECEIVABLES_TOKEN: TOKEN });
    expect({ status, output }).toEqual({ status: 2, output: '' });
    expect(errors).toContain(says);
    expect(errors).not.toContain(TOKEN);
  });
});
