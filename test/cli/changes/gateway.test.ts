import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changesQuery } from '../../../src/cli/changes/query.ts';
import { demoCredentials } from '../../../src/demo/credentials.ts';
import { type DemoService, startDemoService } from '../../../src/demo/service.ts';
import { eventually } from '../../support/eventually.ts';
import { freshGateway, SMALL_ADMINISTRATION } from '../../support/gateway.ts';
import { startProcess } from '../../support/processes.ts';
import { changeDebtor } from '../../support/rest-records.ts';
import { makeFolder } from '../export/support.ts';
import { run, start } from '../support.ts';

const TOKEN = demoCredentials.tokens.companyA;
const COMMAND = ['changes', '--administration', SMALL_ADMINISTRATION];
const FAST = { changesPollMs: 100, changesLookbackMs: 1_000 };

/** Gives the nth debtor another name. */
function rename(service: DemoService, index: number, name: string): void {
  changeDebtor(service, SMALL_ADMINISTRATION, { name }, index);
}

/** The command as a process of its own, with the lines that it has printed so far. */
function startChanges(url: string, args: readonly string[]) {
  const child = start([...COMMAND, ...args], { RECEIVABLES_TOKEN: TOKEN, RECEIVABLES_URL: url });
  const texts = { output: '', errors: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    texts.output += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    texts.errors += chunk;
  });
  const lines = () =>
    texts.output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const isConnected = () => eventually(() => expect(texts.errors).toContain('Connected'));
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const exit = once(child, 'close');
    child.kill(signal);
    return exit;
  };
  return { lines, errors: () => texts.errors, isConnected, stop };
}

test('prints what a query would answer', async () => {
  const { url, rest, query } = await freshGateway({ gateway: FAST });
  const changes = startChanges(url, []);
  await changes.isConnected();
  rename(rest, 3, 'Noëlle 👍');
  await eventually(() => expect(changes.lines()).toHaveLength(1));
  const [line] = changes.lines();
  const { id } = line.record;
  expect(line).toEqual({
    eventId: expect.any(String),
    cursor: expect.any(String),
    kind: 'DEBTOR_CHANGED',
    administrationId: SMALL_ADMINISTRATION,
    seenAt: expect.stringMatching(/Z$/),
    record: expect.objectContaining({ name: 'Noëlle 👍' }),
  });
  const fields = Object.keys(line.record).join(' ');
  const answer = await query(`query ($id: ID!) { node(id: $id) { ... on Debtor { ${fields} } } }`, { id });
  expect(answer.data).toEqual({ node: line.record });
  expect(await changes.stop()).toEqual([0, null]);
});

test('a gateway that runs only trusted documents knows the one that is printed', async () => {
  const args = ['--kinds', 'DEBTOR_CHANGED', '--fields', 'name labels { name }'];
  const { output } = await run(['changes', '--print-query', ...args]);
  const document = output.trimEnd();
  const hash = createHash('sha256').update(document).digest('hex');
  const { url, rest } = await freshGateway({
    gateway: { ...FAST, trustedDocuments: new Map([[hash, document]]) },
  });
  const changes = startChanges(url, args);
  await changes.isConnected();
  rename(rest, 0, 'Known');
  await eventually(() => expect(changes.lines()).toMatchObject([{ record: { name: 'Known' } }]));
  expect(Object.keys(changes.lines()[0].record)).toEqual(['id', 'name', 'labels']);
  await changes.stop();
  const refused = await run([...COMMAND, '--quiet'], { RECEIVABLES_TOKEN: TOKEN, RECEIVABLES_URL: url });
  expect(refused).toMatchObject({ status: 1, output: '' });
  expect(changesQuery(['DEBTOR_CHANGED'], 'name labels { name }')).toBe(document);
});

describe('what the gateway refuses', () => {
  test.each<[what: string, args: string[], token: string, status: number, says: RegExp]>([
    [
      'a start before the deleted lists',
      ['--since', '2020-01-01T00:00:00Z'],
      TOKEN,
      3,
      /\(CHANGES_EXPIRED\)/,
    ],
    [
      'a start in the future',
      ['--since', '2999-01-01T00:00:00Z'],
      TOKEN,
      2,
      /is in the future.*\(BAD_USER_INPUT\)/,
    ],
    ['a moment that is none', ['--since', 'yesterday'], TOKEN, 2, /a DateTime: ISO 8601/],
    ['a cursor that is none', ['--after', 'nonsense'], TOKEN, 2, /\(BAD_USER_INPUT\)/],
    ['an unknown token', [], 'unknown', 4, /\(UNAUTHENTICATED\) A token in the file/],
    ["another company's token", [], demoCredentials.tokens.companyB, 1, /\(FORBIDDEN|NOT_FOUND\)/],
  ])('%s', async (_what, args, token, status, says) => {
    const { url } = await freshGateway({ gateway: FAST });
    const result = await run([...COMMAND, '--quiet', ...args], {
      RECEIVABLES_TOKEN: token,
      RECEIVABLES_URL: url,
    });
    expect(result).toMatchObject({ status, output: '' });
    expect(result.errors).toMatch(says);
    expect(result.errors.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('misses nothing while the gateway is restarted', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)('by %s', async (signal) => {
    const rest = await startDemoService();
    onTestFinished(() => rest.close());
    const env = { REST_URL: rest.url, CHANGES_POLL_MS: '100', CHANGES_LOOKBACK_MS: '1000' };
    const first = await startProcess(env);
    const state = join(makeFolder(), 'state.json');
    const args = ['--kinds', 'DEBTOR_CHANGED', '--fields', 'name', '--state', state];
    const names = () => new Set(changes.lines().map(({ record }) => record.name));
    const url = new URL('/graphql', first.url);
    let changes = startChanges(url.href, args);
    await changes.isConnected();
    rename(rest, 0, 'Before');
    await eventually(() => expect(names()).toEqual(new Set(['Before'])));

    first.child.kill(signal);
    await first.exit;
    rename(rest, 1, 'Between');
    await startProcess({ ...env, PORT: url.port });
    await eventually(() => expect(names()).toEqual(new Set(['Before', 'Between'])));
    expect(changes.errors()).toMatch(/Connects again\.\n(.*\n)*Connected again\.\n$/);
    // What was told again after the restart is left out.
    expect(changes.lines()).toHaveLength(2);

    await changes.stop('SIGKILL');
    rename(rest, 2, 'Behind');
    changes = startChanges(url.href, args);
    await eventually(() => expect(names()).toContain('Behind'));
    await changes.stop();
  });
});

test('tells that the service cannot be read, and goes on', async () => {
  const { url, rest } = await freshGateway({ gateway: FAST });
  const changes = startChanges(url, ['--kinds', 'DEBTOR_CHANGED']);
  await changes.isConnected();
  rest.misbehave({ kind: 'status', status: 503, times: 6 });
  await eventually(() => expect(changes.errors()).toContain('The gateway tries again.'));
  rename(rest, 0, 'After it');
  await eventually(() => expect(changes.lines()).toMatchObject([{ record: { name: 'After it' } }]));
  expect(changes.errors().match(/The gateway tries again/g)).toHaveLength(1);
  await changes.stop();
});
