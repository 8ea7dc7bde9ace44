import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { type Example, examplesOf, type Sent } from './examples.ts';
import { blocksOf, pages, rootFolder } from './pages.ts';

/** When the services of the pages were started: `deletedAt` and the times of tokens are counted from it. */
const STARTED_AT = Date.parse('2026-01-15T12:00:00Z');

/** Long enough for a slow machine to find what an earlier example has read. */
const CACHE = { CACHE_TTL_MS: '600000' };

const examples = pages.map((path) => ({ path, shown: examplesOf(blocksOf(path)) }));

test('the pages that tell of requests and commands show some', () => {
  const silent = examples.filter(({ shown }) => shown.length === 0).map(({ path }) => path);
  expect(silent).toEqual([
    'docs/clients.md',
    'docs/deploying.md',
    'docs/design.md',
    'docs/operations.md',
    'docs/resilience.md',
    'docs/scaling.md',
    'examples/README.md',
  ]);
});

describe.each(examples.filter(({ shown }) => shown.length > 0))('$path', ({ shown }) => {
  let gateway: TestGateway;
  const start = (env: Readonly<Record<string, string>> = {}) => {
    const config = readConfig({ ...CACHE, ...env }, []);
    return startGateway({
      rest: { now: () => STARTED_AT },
      gateway: config,
      handler: { ...config, log: () => {} },
    });
  };
  beforeAll(async () => {
    gateway = await start();
  });
  afterAll(async () => {
    await gateway.close();
  });

  /** In the order of the page: a mutation changes what the examples after it are answered. */
  test.each(shown)('$place', async (example: Example) => {
    if (example.kind === 'start') {
      await gateway.close();
      gateway = await start(example.env);
    } else if (example.kind === 'command') {
      expect(steadyText(await print(example.command))).toBe(steadyText(example.output.text));
    } else if (example.kind === 'stream') {
      const response = await request(gateway, example);
      const { value } = (await response.body?.getReader().read()) ?? {};
      // A result would come with an error at once.
      expect(Buffer.from(value ?? '').toString()).toMatch(/^:\nid: [\w-]+\n\n$/);
    } else if (example.kind === 'file') {
      const file = (await (await request(gateway, example)).text()).replaceAll('\r\n', '\n').trimEnd();
      expect(file).toBe(example.answer.text);
    } else {
      const answer = await (await request(gateway, example)).json();
      const expected = JSON.parse(example.answer.text);
      // Most examples are about the data: what they cost is then left out.
      if (!example.answer.text.includes('"cost"')) for (const each of [answer].flat()) delete each.extensions;
      // As texts, since keys are in the order of the selection.
      expect(steady(answer)).toBe(steady(expected));
    }
  });
});

function request({ url }: TestGateway, { path, method, headers, body }: Sent): Promise<Response> {
  return fetch(new URL(path, url), { method, headers, ...(body !== undefined && { body }) });
}

function print(command: string): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd: rootFolder, env: { PATH: process.env.PATH } };
    const bundled = command.replaceAll('dist/main.js', inject('bundledMain'));
    execFile('sh', ['-c', bundled], options, (_error, output, errors) => resolve((output + errors).trim()));
  });
}

/** What differs from run to run. */
const UNSTEADY = ['milliseconds', 'requestId'];

function steady(answer: unknown): string {
  return JSON.stringify(answer, (key, value) => (UNSTEADY.includes(key) ? key : value), 2);
}

/** Ports and times differ at each run. */
function steadyText(output: string): string {
  return output.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:<port>').replace(/in \d+ ms/, 'in <some> ms');
}
