import { Agent, request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { SharedBoard } from '../../src/sharing/board.ts';
import { stopClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BASIC, BEARER, FOREIGN_ADMINISTRATION, OTHER_BEARER } from '../support/gateway.ts';
import { startProcess } from '../support/processes.ts';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';

const PATIENCE_MS = 60_000;
const LIST = `{ debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } }`;
const WRITE = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { completedAt } } }';
const REFRESH = `mutation { refreshAccessToken(input: { refreshToken: "${demoCredentials.refreshToken}" }) { token { accessToken refreshToken } } }`;

/** Two workers over one REST service, and a kept connection to each: they get connections in turn. */
async function startTwo() {
  const rest = await startDemoService();
  onTestFinished(() => rest.close());
  // Processes, which alone have a primary to share by.
  const gateway = await startProcess({
    WORKERS: '2',
    LOG: 'operations',
    REST_URL: rest.url,
    CACHE_TTL_MS: '600000',
    CREDENTIAL_CALLS_PER_MINUTE: '10',
  });
  const agents = [0, 1].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  onTestFinished(() => {
    for (const agent of agents) agent.destroy();
  });
  const [first, second] = agents.map(
    (agent) => (query: string, headers: object) => ask(gateway.url, agent, query, headers),
  );
  if (first === undefined || second === undefined) throw new Error('there are two');
  // One after the other, so that each worker gets one.
  await first('{ __typename }', BEARER);
  await second('{ __typename }', BEARER);
  return { rest, gateway, first, second };
}

function ask(url: string, agent: Agent, query: string, headers: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent, headers: { ...headers, 'content-type': 'application/json' } };
    const sent = request(url, options, async (response) => {
      resolve(Buffer.concat(await response.toArray()).toString());
    });
    sent.on('error', reject).end(JSON.stringify({ query }));
  });
}

const reads = ({ calls }: DemoService) => calls.filter(({ method }) => method === 'GET').length;

describe('workers without Redis share', () => {
  test(
    'one refresh of a token, what a write drops and the limit of a credential, and end with their primary',
    async () => {
      const { rest, gateway, first, second } = await startTwo();
      rest.misbehave({ kind: 'delay', milliseconds: 300, match: { path: '/oauth/token' } });
      const tokens = await Promise.all([first(REFRESH, BASIC), second(REFRESH, BASIC)]);
      const [token, other] = tokens.map((text) => JSON.parse(text).data?.refreshAccessToken);
      expect(token).toMatchObject({ token: { accessToken: expect.any(String) } });
      expect(other).toEqual(token);
      // Besides the probe at the start.
      const calls = rest.calls.filter(({ method }) => method !== 'HEAD');
      expect(calls.map(({ path }) => path)).toEqual(['/oauth/token']);

      for (const worker of [first, second, first, second]) await worker(LIST, BEARER);
      expect(reads(rest)).toBe(2);
      await first(WRITE, BEARER);
      for (const worker of [first, second, first, second]) await worker(LIST, BEARER);
      expect(reads(rest)).toBe(4);

      rest.calls.length = 0;
      const answers = [];
      for (let count = 1; count <= 24; count += 1) {
        // Each another list, of which nothing is kept.
        const list = `{ debtors(administrationId: "${FOREIGN_ADMINISTRATION}", first: ${count}) { nodes { name } } }`;
        answers.push(await (count % 2 === 0 ? first : second)(list, OTHER_BEARER));
      }
      expect(reads(rest)).toBe(10);
      expect(answers.filter((text) => text.includes('RATE_LIMITED'))).toHaveLength(14);

      const pids = Array.from(gateway.output().matchAll(/"worker ready","pid":(\d+)/g), ([, pid]) =>
        Number(pid),
      );
      expect(pids).toHaveLength(2);
      gateway.child.kill('SIGKILL');
      await eventually(() => {
        for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
      });
    },
    PATIENCE_MS,
  );
});

describe('what workers share in their primary', () => {
  test('expires, as it does in Redis', async () => {
    const clock = stopClock();
    const board = new SharedBoard();
    expect(board.move('key', [''], 'claimed a', 20)).toBe('claimed a');
    expect(board.move('key', [''], 'claimed b', 20)).toBe('claimed a');
    clock.advance(21);
    // A moment later: it does not look at the clock each time.
    await eventually(() => expect(board.move('key', [''], 'claimed b', 60_000)).toBe('claimed b'));
    expect(board.reserve('calls', { limit: 1, wanted: 1, windowMs: 20 })).toMatchObject({
      granted: 1,
      used: 1,
    });
    expect(board.reserve('calls', { limit: 1, wanted: 1, windowMs: 20 })).toMatchObject({
      granted: 0,
      used: 1,
    });
    clock.advance(21);
    await eventually(() =>
      expect(board.reserve('calls', { limit: 1, wanted: 1, windowMs: 20 })).toMatchObject({ granted: 1 }),
    );
  });
});
