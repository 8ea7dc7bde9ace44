import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/index.ts';
import type { Running } from '../../src/server/serve.ts';
import { BEARER } from '../support/gateway.ts';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';
import { serveBuilt } from '../support/serve.ts';

const DEBTORS =
  'query Debtors($first: Int) { debtors(administrationId: "1001", first: $first) { nodes { name } } }';
const TWO =
  'query One { debtors(administrationId: "1001", first: 1) { nodes { name } } } query Two { __typename }';
const UNMARK = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } }';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** As graphql-codegen writes it: a SHA-1 as it is, a SHA-256 with its prefix. */
const DOCUMENTS = {
  [sha1(DEBTORS)]: DEBTORS,
  [`sha256:${sha256(TWO)}`]: TWO,
  [sha1(UNMARK)]: UNMARK,
};

const TRUSTED = { status: 200, body: { data: { debtors: { nodes: [{}, {}] } } } };
const refusal = (code: string, message: unknown = expect.any(String)) => ({
  status: 400,
  body: { errors: [{ message, extensions: { code } }] },
});

const folder = mkdtempSync(join(tmpdir(), 'trusted-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: string): string {
  const path = join(mkdtempSync(join(folder, 'one-')), 'persisted-documents.json');
  writeFileSync(path, content);
  return path;
}

describe('with trusted documents', () => {
  let rest: DemoService;
  let running: Running;

  beforeAll(async () => {
    rest = await startDemoService();
    running = await start({
      REST_URL: rest.url,
      CACHE_TTL_MS: '0',
      TRUSTED_DOCUMENTS: file(JSON.stringify(DOCUMENTS)),
    });
  });
  afterAll(async () => {
    await running.stop();
    await rest.close();
  });
  beforeEach(() => {
    rest.calls.length = 0;
  });

  const post = (body: object) => send(running.url, body);

  test('a hash stands for its document, and nothing else is run', async () => {
    expect(await post({ documentId: sha1(DEBTORS), variables: { first: 2 } })).toMatchObject(TRUSTED);
    expect(await post({ query: DEBTORS })).toMatchObject(refusal('TRUSTED_DOCUMENT_REQUIRED'));
    expect(rest.calls).toHaveLength(1);
  });

  test('the schema is still served', async () => {
    expect((await fetch(new URL('/schema.graphql', running.url))).status).toBe(200);
  });

  test('GraphiQL is not served, since nothing in it would work, and the landing page says so', async () => {
    const landing = await fetch(new URL('/', running.url), { headers: { accept: 'text/html' } });
    const page = await landing.text();
    expect(page).toContain('GraphiQL is off: this gateway runs only trusted documents');
    expect(page).toContain('{"documentId":"&lt;hash of a document>"}');
    const response = await fetch(running.url, { headers: { accept: 'text/html, */*;q=0.8' } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('GraphiQL is off: this gateway runs only trusted documents');
  });
});

describe('at the start', () => {
  const faultsOf = async (path: string): Promise<string[]> => {
    try {
      await (await start({ TRUSTED_DOCUMENTS: path })).stop();
    } catch (error) {
      if (error instanceof ConfigError) return error.message.split('\n').slice(1);
      throw error;
    }
    return [];
  };

  test.each([
    ['a missing file', () => join(folder, 'missing.json'), 'takes the path of a file that can be read'],
    ['a folder', () => folder, 'takes the path of a file that can be read'],
    ['no JSON', () => file('{'), 'documents by their hashes'],
    ['a list', () => file('[]'), 'documents by their hashes'],
    ['no document', () => file('{}'), 'documents by their hashes'],
    ['a document that is no text', () => file('{"a1":5}'), '"a1" takes the text of a document'],
  ])('%s is a fault', async (_what, path, fault) => {
    expect(await faultsOf(path())).toEqual([
      expect.stringMatching(new RegExp(`TRUSTED_DOCUMENTS.*${fault}`)),
    ]);
  });

  test('every document that cannot be answered is named, with what is wrong', async () => {
    const path = file(
      JSON.stringify({
        ...DOCUMENTS,
        a1: '{ nonsense }',
        b2: '{ viewer {',
        c3: `{ ${'viewer { '.repeat(30)} clientId ${'}'.repeat(30)} }`,
        d4: '',
      }),
    );
    expect(await faultsOf(path)).toEqual([
      expect.stringContaining('the document a1: Cannot query field "nonsense" on type "Query".'),
      expect.stringContaining('the document b2: Syntax Error'),
      expect.stringContaining('the document c3: The document has more than 20 levels'),
      expect.stringContaining('the document d4: Syntax Error'),
    ]);
  });
});

function start(env: Record<string, string>): Promise<Running> {
  const config = readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', ...env }, []);
  return serveBuilt(config);
}

async function send(url: string, params: object) {
  const headers = { ...BEARER, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(params) });
  return { status: response.status, body: await response.json() };
}
