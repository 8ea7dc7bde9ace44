import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changesQuery } from '../../../src/cli/changes/query.ts';
import { readConfig } from '../../../src/config/index.ts';
import { demoCredentials } from '../../../src/demo/applications.ts';
import { eventually } from '../../support/eventually.ts';
import { freshGateway, SMALL_ADMINISTRATION } from '../../support/gateway.ts';
import { gather, startProcess } from '../../support/processes.ts';
import { changeDebtor } from '../../support/rest-records.ts';
import { type DemoService, startDemoService } from '../../support/rest-service.mjs';
import { serveBuilt } from '../../support/serve.ts';
import { makeFolder } from '../export/support.ts';
import { run, start, startCommand } from '../support.ts';

const TOKEN = demoCredentials.tokens.companyA;
const COMMAND = ['changes', '--administration', SMALL_ADMINISTRATION];
const FAST = { changesPollMs: 100, changesLookbackMs: 1_000 };

/** Gives the nth debtor another name. */
function rename(service: DemoService, index: number, name: string): void {
  changeDebtor(service, SMALL_ADMINISTRATION, { name }, index);
}

const environmentOf = (url: string) => ({ RECEIVABLES_TOKEN: TOKEN, RECEIVABLES_URL: url });
const linesIn = (output: string) =>
  output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** The command, with the lines that it has printed so far. */
function startChanges(url: string, args: readonly string[]) {
  const { output, errors, ended, interrupt } = startCommand([...COMMAND, ...args], environmentOf(url));
  const isConnected = () => eventually(() => expect(errors()).toContain('Connected'));
  const stop = () => {
    interrupt();
    return ended;
  };
  return { lines: () => linesIn(output()), errors, isConnected, stop };
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
  expect(await changes.stop()).toBe(0);
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

test('the gateway refuses a start before the deleted lists, in its own words', async () => {
  const { url } = await freshGateway({ gateway: FAST });
  const { status, errors } = await run([...COMMAND, '--since', '2020-01-01T00:00:00Z'], environmentOf(url));
  expect(status).toBe(3);
  expect(errors).toContain('(CHANGES_EXPIRED)');
});

describe('misses nothing', () => {
  const args = ['--kinds', 'DEBTOR_CHANGED', '--fields', 'name'];
  const namesOf = (lines: readonly { record: { name: string } }[]) => lines.map(({ record }) => record.name);

  async function startRest() {
    const rest = await startDemoService();
    onTestFinished(() => rest.close());
    return { rest, env: { REST_URL: rest.url, CHANGES_POLL_MS: '100', CHANGES_LOOKBACK_MS: '1000' } };
  }

  async function startServer(env: Record<string, string>) {
    const running = await serveBuilt(readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', ...env }, []));
    onTestFinished(() => running.stop());
    return running;
  }

  // Only a process can be killed; one that is stopped ends as `stop` does.
  test.each(['stopped', 'killed'])('while the gateway is %s and started again', async (what) => {
    const { rest, env } = await startRest();
    const first = what === 'killed' ? await startProcess(env) : await startServer(env);
    const url = new URL('/graphql', first.url);
    const changes = startChanges(url.href, args);
    await changes.isConnected();
    rename(rest, 0, 'Before');
    await eventually(() => expect(namesOf(changes.lines())).toEqual(['Before']));
    if ('stop' in first) await first.stop();
    else {
      first.child.kill('SIGKILL');
      await first.exit;
    }
    rename(rest, 1, 'Between');
    await startServer({ ...env, PORT: url.port });
    // What was told again after the restart is left out.
    await eventually(() => expect(namesOf(changes.lines())).toEqual(['Before', 'Between']));
    expect(changes.errors()).toMatch(/Connects again\.\n(.*\n)*Connected\.\n$/);
  });

  test('where the command itself is killed', async () => {
    const { rest, env } = await startRest();
    const { url } = await startServer(env);
    const withState = [...args, '--state', join(makeFolder(), 'state.json')];
    const child = start([...COMMAND, ...withState], environmentOf(url));
    const [output, errors] = [gather(child.stdout), gather(child.stderr)];
    await eventually(() => expect(errors()).toContain('Connected'));
    rename(rest, 0, 'Before');
    await eventually(() => expect(namesOf(linesIn(output()))).toEqual(['Before']));
    child.kill('SIGKILL');
    await once(child, 'close');
    rename(rest, 1, 'Behind');
    const changes = startChanges(url, withState);
    await eventually(() => expect(namesOf(changes.lines())).toContain('Behind'));
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
