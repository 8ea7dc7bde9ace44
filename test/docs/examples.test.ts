import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { type CommandExample, type Example, examplesOf, type RequestExample } from './examples.ts';
import { type Block, blocksOf, pages, rootFolder } from './pages.ts';
import { rewriteBlocks, rewriteJson, rewriteLines } from './rewrite.ts';

/** When the services of the pages were started: `deletedAt` and the times of tokens are counted from it. */
const STARTED_AT = Date.parse('2026-01-15T12:00:00Z');

/** Long enough for a slow machine to find what an earlier example has read. */
const CACHE = { CACHE_TTL_MS: '600000' };

/** Instead of comparing, write into the pages what is answered now. */
const isUpdate = Boolean(process.env.UPDATE_DOCS);

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

test.each([
  ['an operation without an answer', ['graphql'], 'page.md:1 lacks a block of json behind it.'],
  ['headers without an operation', ['http', 'json'], 'page.md:1 lacks a block of graphql behind it.'],
  [
    'an answer to nothing',
    ['graphql', 'json', 'json'],
    'page.md:3 is a block of json that belongs to nothing.',
  ],
  ['an output of nothing', ['text'], 'page.md:1 is a block of text that belongs to nothing.'],
])('%s is a fault of a page', (_what, languages, fault) => {
  const blocks = languages.map((language, index) => ({
    place: `page.md:${index + 1}`,
    language,
    text: '{ a }',
    offset: 0,
  }));
  expect(() => examplesOf(blocks)).toThrow(fault);
});

describe.each(examples.filter(({ shown }) => shown.length > 0))('$path', ({ path, shown }) => {
  let gateway: TestGateway;
  const answers = new Map<Block, string>();

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
    if (answers.size > 0) rewriteBlocks(path, answers);
    await gateway.close();
  });

  /** Compares texts, whose order matters, too: keys are in the order of the selection. */
  const expectShown = (
    block: Block,
    { now, shown }: { now: string; shown: string },
    rewritten: () => string,
  ) => {
    if (!isUpdate) expect(now).toBe(shown);
    else if (now !== shown) answers.set(block, rewritten());
  };

  /** In the order of the page: a mutation changes what the examples after it are answered. */
  test.each(shown)('$place', async (example: Example) => {
    if (example.kind === 'start') {
      await gateway.close();
      gateway = await start(example.env);
    } else if (example.kind === 'command') {
      const output = await print(example);
      const shown = steadyText(example.output.text);
      expectShown(example.output, { now: steadyText(output), shown }, () =>
        rewriteLines(example.output.text, output, steadyText),
      );
    } else if (example.kind === 'stream') {
      const response = await request(gateway, example);
      const { value } = (await response.body?.getReader().read()) ?? {};
      // A result would come with an error at once.
      expect(Buffer.from(value ?? '').toString()).toMatch(/^:\nid: [\w-]+\n\n$/);
    } else if (example.kind === 'file') {
      const now = (await (await request(gateway, example)).text()).replaceAll('\r\n', '\n').trimEnd();
      expectShown(example.answer, { now, shown: example.answer.text }, () => now);
    } else {
      const answer = await (await request(gateway, example)).json();
      const expected = JSON.parse(example.answer.text);
      // Most examples are about the data: what they cost is then left out.
      if (!('extensions' in expected)) delete answer.extensions;
      expectShown(example.answer, { now: steady(answer), shown: steady(expected) }, () =>
        rewriteJson(example.answer.text, answer, UNSTEADY),
      );
    }
  });
});

function request(
  { url }: TestGateway,
  { path, method, headers, body }: Pick<RequestExample, 'path' | 'method' | 'headers' | 'body'>,
): Promise<Response> {
  return fetch(new URL(path, url), { method, headers, ...(body !== undefined && { body }) });
}

function print({ command }: CommandExample): Promise<string> {
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
