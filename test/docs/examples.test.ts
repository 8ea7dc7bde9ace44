import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { type Example, examplesOf } from './examples.ts';
import { blocksOf, pages, rootFolder } from './pages.ts';

/** When the services of the pages were started: `deletedAt` and the times of tokens are counted from it. */
const STARTED_AT = Date.parse('2026-01-15T12:00:00Z');

/** Long enough for a slow machine to find what an earlier example has read. */
const CACHE = { CACHE_TTL_MS: '600000' };

const examples = pages.map((path) => ({ path, shown: examplesOf(blocksOf(path)) }));

test('all pages except conceptual ones have examples that this test runs', () => {
  const silent = examples.filter(({ shown }) => shown.length === 0).map(({ path }) => path);
  const docs = 'assistants clients deploying design glossary operations resilience scaling'.split(' ');
  expect(silent).toEqual([...docs.map((name) => `docs/${name}.md`), 'examples/README.md']);
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

  /** Runs them in the order of the page: a mutation changes the results of later examples. */
  test.each(shown)('$place', async (example: Example) => {
    if ('env' in example) {
      await gateway.close();
      gateway = await start(example.env);
      return;
    }
    const { shown } = example;
    if ('command' in example) {
      expect(steadyText(await print(example.command))).toBe(steadyText(example.shown.text));
      return;
    }
    const response = await fetch(new URL(example.sent.path, gateway.url), example.sent);
    if (shown === 'a stream that opens') {
      const { value } = (await response.body?.getReader().read()) ?? {};
      // A result would come with an error at once.
      expect(Buffer.from(value ?? '').toString()).toMatch(/^:\nid: [\w-]+\n\n$/);
    } else if (shown.language === 'csv') {
      expect((await response.text()).replaceAll('\r\n', '\n').trimEnd()).toBe(shown.text);
    } else {
      const answer = await response.json();
      // Most examples are about the data: what they cost is then left out.
      if (!shown.text.includes('"cost"')) for (const each of [answer].flat()) delete each.extensions;
      // Compare texts, since keys are in the order of the selection.
      expect(steady(answer)).toBe(steady(JSON.parse(shown.text)));
    }
  });
});

function print(command: string): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd: rootFolder, env: { PATH: process.env.PATH } };
    execFile('sh', ['-c', command], options, (_error, output, errors) => resolve((output + errors).trim()));
  });
}

const UNSTEADY = ['milliseconds', 'requestId'];

function steady(answer: unknown): string {
  return JSON.stringify(answer, (key, value) => (UNSTEADY.includes(key) ? key : value), 2);
}

function steadyText(output: string): string {
  return output.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:<port>').replace(/in \d+ ms/, 'in <some> ms');
}
