import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { npmScript } from '../../scripts/commands.mjs';
import { eventually } from '../support/eventually.ts';
import { postTo } from '../support/gateway.ts';
import { debtors } from '../support/operations.ts';
import { describeWith, POSIX } from '../support/requirements.ts';
import { startRest } from '../support/resources.ts';
import { withResolver } from '../support/with-resolver.ts';

/** Runs `npm start` in a process group of its own, over a REST service that can wait. */
async function npmStart() {
  const rest = await startRest();
  const npm = spawn(process.execPath, [npmScript(), 'start'], {
    env: { PATH: process.env.PATH, PORT: '0', REST_URL: rest.url },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const signalGroup = (signal: NodeJS.Signals) => process.kill(-Number(npm.pid), signal);
  onTestFinished(() => {
    // All of it should have ended by then.
    try {
      signalGroup('SIGKILL');
    } catch {}
  });
  let output = '';
  while (!/is ready at [^\s"]+[\s"]/.test(output)) output += (await once(npm.stdout, 'data'))[0];
  const url = /is ready at ([^\s"]+)/.exec(output)?.[1] ?? '';
  return { rest, npm, signalGroup, url: url.replace('localhost', '127.0.0.1') };
}

const refused = (url: string) =>
  eventually(() => expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } }));

// Windows has no signals: there, Ctrl-C reaches every process of the console by itself.
describeWith(POSIX)('npm start', () => {
  test('ends with npm, although npm signals only its shell', async () => {
    const { npm, url } = await npmStart();
    npm.kill('SIGTERM');
    await refused(url);
  });

  test('lets operations complete if npm, its shell and the gateway all get the signal', async () => {
    const { rest, signalGroup, url } = await npmStart();
    const { promise: until, resolve } = withResolver();
    rest.misbehave({ kind: 'stale', until, times: 1 });
    const answer = postTo(url, debtors());
    await eventually(() => expect(rest.calls).toHaveLength(1));
    const idle = connect(Number(new URL(url).port), '127.0.0.1', () => signalGroup('SIGTERM'));
    // It is closed a second later, when the gateway has long seen that its shell is gone.
    await once(idle, 'close');
    resolve();
    expect(await (await answer).text()).toContain('"internalId":"300001"');
  });
});
