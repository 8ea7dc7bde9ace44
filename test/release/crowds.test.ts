import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startNginx } from '../../bench/restarts/nginx.mjs';
import { issueTokens } from '../support/gateway.ts';
import { type RunningProcess, startProcess } from '../support/processes.ts';
import { describeWith, program } from '../support/requirements.ts';
import { startRest } from '../support/resources.ts';
import type { DemoService } from '../support/rest-service.mjs';
import { times } from '../support/times.ts';

// Honest callers who come together: all from one address, each with a token that the gateway has not seen before.

/** Larger crowds and a slow service are part of `npm run test:long`. */
const inLong = <Case>(cases: readonly Case[]) => (process.env.SEARCH === 'long' ? cases : []);

const LIST = '{ debtors(administrationId: "1001", first: 20) { nodes { id name } } }';
/** Three REST calls. */
const QUERY = `{
  deletedCreditCases(administrationId: "1001", first: 20) { nodes { deletedAt debtor { name } } }
  debtors(administrationId: "1001", first: 5) { nodes { id } }
}`;
const STREAM = `subscription {
  changes(administrationId: "1001", kinds: [DEBTOR_CHANGED]) { cursor eventId }
}`;
const FAST_MS = 50;
const SLOW_MS = 3_000;

type Headers = Readonly<Record<string, string>>;

interface Crowd {
  readonly rest: DemoService;
  readonly gateway: RunningProcess;
  readonly url: string;
  /** Ends the gateway, and starts another at its port. */
  restart(): Promise<void>;
}

async function start(latencyMs: number, isBehindNginx: boolean): Promise<Crowd> {
  const rest = await startRest();
  rest.misbehave({ kind: 'delay', milliseconds: latencyMs, times: 1e9, match: { path: /^\/v1/ } });
  const flags = ['--max-old-space-size=512'];
  const gateway = await startProcess({ REST_URL: rest.url }, { flags });
  const { port } = new URL(gateway.url);
  const nginx = isBehindNginx ? await startNginx([port, port]) : undefined;
  if (nginx) onTestFinished(nginx.stop);
  return {
    rest,
    gateway,
    url: nginx?.url ?? gateway.url,
    async restart() {
      gateway.child.kill('SIGTERM');
      await gateway.exit;
      await startProcess({ REST_URL: rest.url, PORT: port }, { flags });
    },
  };
}

async function open(url: string, query: string, headers: Headers, path = '', from = '127.0.0.1') {
  const agent = new Agent({ localAddress: from });
  const sent = request(url.replace(/$/, path), {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.end(JSON.stringify({ query }));
  const [response] = await once(sent, 'response');
  return response as IncomingMessage;
}

async function post(...parameters: Parameters<typeof open>): Promise<string> {
  const response = await open(...parameters);
  return [response.statusCode, ...(await codesIn(response))].join(' ');
}

async function codesIn(response: IncomingMessage): Promise<readonly (string | undefined)[]> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return Array.from(text.matchAll(/"code":"(\w+)"/g), ([, code]) => code);
}

/** A page that shows changes: when its stream ends, it continues from the last event, as `EventSource` does. */
class Display {
  /** Statuses and codes of all responses other than 200, except while no gateway runs. */
  readonly refused: string[] = [];
  opened = 0;
  isOpen = false;
  #lastEventId: string | undefined;
  #isClosed = false;

  constructor(
    private readonly url: string,
    private readonly headers: Headers,
  ) {
    void this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      await this.#follow().catch(() => {});
      this.isOpen = false;
      await sleep(300 + 400 * Math.random(), undefined, { ref: false });
    }
  }

  async #follow(): Promise<void> {
    const response = await open(this.url, STREAM, {
      accept: 'text/event-stream',
      ...this.headers,
      ...(this.#lastEventId !== undefined && { 'last-event-id': this.#lastEventId }),
    });
    onTestFinished(() => {
      this.#isClosed = true;
      response.destroy();
    });
    const { statusCode } = response;
    if (statusCode !== 200) {
      // While no gateway listens, nginx answers; one that stops refuses streams.
      const codes = await codesIn(response);
      if (statusCode !== 502 && codes[0] !== 'SERVER_STOPPING') this.refused.push(`${statusCode} ${codes}`);
      return;
    }
    for await (const chunk of response.setEncoding('utf8')) {
      if (!this.isOpen) this.opened += 1;
      this.isOpen = true;
      for (const [, id] of `${chunk}`.matchAll(/^id: ?(.+)$/gm)) this.#lastEventId = id;
    }
  }
}

async function allOpen(displays: readonly Display[], opened: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 100) {
    if (displays.every((display) => display.isOpen && display.opened >= opened)) break;
    await sleep(100);
  }
  const refused = displays.flatMap((display) => display.refused);
  const open = displays.filter((display) => display.isOpen && display.opened >= opened).length;
  expect([open, refused]).toEqual([displays.length, []]);
}

/** A client that sends made-up tokens, many at once, until the test ends. */
function startHostile(url: string, from: string): void {
  let isEnded = false;
  onTestFinished(() => {
    isEnded = true;
  });
  const run = async () => {
    while (!isEnded)
      await post(url, QUERY, { authorization: `Bearer invented-${Math.random()}` }, '', from).catch(() => {});
  };
  times(300, () => void run());
}

describeWith(program('nginx', 'nginx'))('a crowd at one address', () => {
  describe.each([
    ['direct', false],
    ['behind nginx', true],
  ])('%s', (_how, isBehindNginx) => {
    test('serves 60 colleagues who send queries, and six who start downloads', async () => {
      const { rest, url } = await start(FAST_MS, isBehindNginx);
      const tokens = await issueTokens(rest, 66);
      const statuses = await Promise.all(
        tokens.map((headers, index) =>
          index < 60 ? post(url, QUERY, headers) : post(url, LIST, headers, '.csv'),
        ),
      );
      expect(statuses).toEqual(times(66, () => '200'));
    });

    test.each(inLong([60, 200, 500]))('serves %i colleagues who query a slow service', async (count) => {
      const { rest, url } = await start(SLOW_MS, isBehindNginx);
      const tokens = await issueTokens(rest, count);
      const statuses = await Promise.all(tokens.map((headers) => post(url, QUERY, headers)));
      expect(statuses).toEqual(times(count, () => '200'));
    });
  });

  test.each(
    inLong([
      ['200 displays with their own tokens', 200, false, FAST_MS],
      ['200 displays with their own tokens and a slow service', 200, false, SLOW_MS],
      ['500 displays with their own tokens', 500, false, 400],
      ['500 displays with one token', 500, true, 400],
    ] as const),
  )('%s open their streams behind nginx, also after a restart', async (_who, count, isShared, latencyMs) => {
    const { rest, url, restart } = await start(latencyMs, true);
    const tokens = await issueTokens(rest, isShared ? 1 : count);
    const displays = times(count, (index) => new Display(url, tokens[index % tokens.length] ?? {}));
    await allOpen(displays, 1);
    await restart();
    await allOpen(displays, 2);
    const neighbours = await issueTokens(rest, 20);
    const statuses = await Promise.all(neighbours.map((headers) => post(url, QUERY, headers)));
    expect(statuses).toEqual(times(20, () => '200'));
  });

  test.each([
    ['60 colleagues', 'another address', 60, 400, '127.0.0.9'],
    ['60 colleagues', 'the same address', 60, 400, '127.0.0.1'],
    ...inLong([
      ['500 colleagues with a slow service', 'another address', 500, SLOW_MS, '127.0.0.9'],
      ['500 colleagues with a slow service', 'the same address', 500, SLOW_MS, '127.0.0.1'],
    ] as const),
  ] as const)('%s are served next to a client that sends made-up tokens from %s', async (...parameters) => {
    const [, , count, latencyMs, from] = parameters;
    const { rest, url } = await start(latencyMs, true);
    const tokens = await issueTokens(rest, count);
    const send = () => Promise.all(tokens.map((headers) => post(url, QUERY, headers)));
    // At the same address only accepted tokens are promised to be served.
    if (from === '127.0.0.1') expect(await send()).toEqual(times(count, () => '200'));
    startHostile(url, from);
    await sleep(500);
    expect(await send()).toEqual(times(count, () => '200'));
  });
});
