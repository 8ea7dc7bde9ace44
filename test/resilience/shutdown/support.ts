import { Agent, request } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/config/index.ts';
import { eventually } from '../../support/eventually.ts';
import { BEARER } from '../../support/gateway.ts';
import { debtors } from '../../support/operations.ts';
import { startProcess } from '../../support/processes.ts';
import { startRest } from '../../support/resources.ts';
import { serveBuilt } from '../../support/serve.ts';

/** Longer than any test may take: what ends sooner does not end by it. */
export const GRACE_MS = 60_000;

export const HEALTH = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';
export const READY = 'GET /ready HTTP/1.1\r\nHost: x\r\n\r\n';

/** A gateway in this process, over a REST service; `stop` does what the first signal does. */
export async function startAll(env: Readonly<Record<string, string>> = {}) {
  const rest = await startRest();
  const settings = { PORT: '0', REST_URL: rest.url, SHUTDOWN_GRACE_MS: String(GRACE_MS), ...env };
  const running = await serveBuilt(readConfig(settings, []));
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= running.stop();
    return stopped;
  };
  onTestFinished(stop);
  const url = running.url.replace('localhost', '127.0.0.1');
  return { rest, url, stop, ask: askingOf(url) };
}

export async function startAllAsProcess(env: Readonly<Record<string, string>> = {}) {
  const rest = await startRest();
  const gateway = await startProcess({ REST_URL: rest.url, SHUTDOWN_GRACE_MS: String(GRACE_MS), ...env });
  return { rest, ...gateway, ask: askingOf(gateway.url) };
}

function askingOf(url: string) {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return (number = 0) => ask(url, agent, number);
}

export type Outcome = { status: number; text: string } | { failed: string; reused: boolean };

export function ask(url: string, agent: Agent, number: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', ...BEARER };
    const outgoing = request(url, { method: 'POST', agent, headers }, (incoming) => {
      let text = '';
      const fail = () => resolve({ failed: 'half an answer', reused: false });
      incoming.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text })).on('error', fail);
    });
    outgoing.on('error', (error) => {
      const failed = 'code' in error ? String(error.code) : error.name;
      resolve({ failed, reused: outgoing.reusedSocket });
    });
    outgoing.end(JSON.stringify({ query: debtors(number) }));
  });
}

export const isRight = (outcome: Outcome) =>
  'status' in outcome && outcome.status === 200 && outcome.text.includes('"internalId":"300001"');

export function refused(url: string): Promise<void> {
  return eventually(async () => {
    const health = fetch(new URL('/health', url));
    await expect(health).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
}
