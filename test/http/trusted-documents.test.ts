import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/index.ts';
import { type DemoService, startDemoService } from '../../src/demo/service.ts';
import { isObject } from '../../src/rest/json.ts';
import type { Running } from '../../src/serve/serve.ts';
import { BEARER, useGateway } from '../support/gateway.ts';
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

  const post = (body: object, headers = {}) => send(running.url, { method: 'POST', body, headers });
  const get = (parameters: Record<string, string>) =>
    send(`${running.url}?${new URLSearchParams(parameters)}`, { method: 'GET' });

  describe.each([
    ['documentId', (hash: string) => ({ documentId: hash })],
    ['extensions', (hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: hash } } })],
  ])('a hash in %s', (_where, naming) => {
    const parameters = (hash: string) =>
      Object.fromEntries(
        Object.entries(naming(hash)).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      );

    test('stands for its document, by POST and by GET', async () => {
      const hash = sha1(DEBTORS);
      expect(await post({ ...naming(hash), variables: { first: 2 } })).toMatchObject(TRUSTED);
      expect(await get({ ...parameters(hash), variables: '{"first":2}' })).toMatchObject(TRUSTED);
      expect(rest.calls.map(({ path, query }) => [path, query.per_page])).toEqual([
        ['/v1/debtors', '2'],
        ['/v1/debtors', '2'],
      ]);
    });

    test.each(['sha256:', ''])('may be a SHA-256 with the prefix "%s"', async (prefix) => {
      const named = naming(prefix + sha256(TWO));
      expect(await post({ ...named, operationName: 'Two' })).toMatchObject({
        status: 200,
        body: { data: { __typename: 'Query' } },
      });
    });

    test('decides, whatever text comes along', async () => {
      const answer = await post({
        query: '{ __typename }',
        ...naming(sha1(DEBTORS)),
        variables: { first: 2 },
      });
      expect(answer).toMatchObject(TRUSTED);
    });

    test('that is unknown is refused, whatever text comes along', async () => {
      const unknown = refusal('UNKNOWN_DOCUMENT', expect.stringContaining('"0123"'));
      expect(await post(naming('0123'))).toMatchObject(unknown);
      expect(await post({ query: DEBTORS, ...naming('0123') })).toMatchObject(unknown);
      expect(await get(parameters('0123'))).toMatchObject(unknown);
      expect(rest.calls).toEqual([]);
    });

    test('of a mutation works by POST alone', async () => {
      expect(await get(parameters(sha1(UNMARK)))).toMatchObject({
        status: 405,
        body: { errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] },
      });
      expect(rest.calls).toEqual([]);
      expect(await post(naming(sha1(UNMARK)))).toMatchObject({ status: 200 });
      expect(rest.calls).toHaveLength(1);
    });

    test('is shown in part when it is long', async () => {
      const { text } = await post(naming('x'.repeat(100_000)));
      expect(text).toContain('UNKNOWN_DOCUMENT');
      expect(text.length).toBeLessThan(500);
    });

    test.each(['__proto__', 'constructor', 'toString'])('cannot be %s', async (hash) => {
      expect(await post(naming(hash))).toMatchObject(refusal('UNKNOWN_DOCUMENT'));
    });
  });

  test.each([
    ['a text', { query: DEBTORS }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['nothing', {}],
    ['a hash that is no text', { documentId: 5 }],
    ['an empty hash', { query: DEBTORS, documentId: '' }],
    ['an extension without a hash', { query: DEBTORS, extensions: { persistedQuery: { version: 1 } } }],
    ['an extension that is no object', { query: DEBTORS, extensions: { persistedQuery: 'x' } }],
  ])('a request with %s is told to send a hash', async (_what, body) => {
    const required = refusal('TRUSTED_DOCUMENT_REQUIRED', expect.stringContaining('`documentId`'));
    expect(await post(body)).toMatchObject(required);
    expect(rest.calls).toEqual([]);
  });

  test('the schema is still served', async () => {
    expect((await fetch(new URL('/schema.graphql', running.url))).status).toBe(200);
  });

  test('a GET with a text is told to send a hash', async () => {
    expect(await get({ query: DEBTORS })).toMatchObject(refusal('TRUSTED_DOCUMENT_REQUIRED'));
  });

  test('variables and the name of the operation are checked as ever', async () => {
    const documentId = sha1(DEBTORS);
    expect(await post({ documentId, variables: [] })).toMatchObject(refusal('BAD_REQUEST'));
    expect(await post({ documentId, operationName: 5 })).toMatchObject(refusal('BAD_REQUEST'));
  });

  test('a refusal comes as a GraphQL answer to a client that takes one', async () => {
    const accept = 'application/graphql-response+json,application/json;q=0.9';
    expect((await post({ documentId: '0' }, { accept })).type).toMatch('application/graphql-response+json');
    expect((await post({ documentId: '0' })).type).toMatch('application/json');
  });

  test('GraphiQL is not served, since nothing in it would work, and the landing page says so', async () => {
    const landing = await fetch(new URL('/', running.url), { headers: { accept: 'text/html' } });
    const page = await landing.text();
    expect(page).toContain('There is no GraphiQL here: only known documents are run');
    expect(page).toContain('{&quot;documentId&quot;:&quot;&lt;hash of a document&gt;&quot;}');
    expect(page).not.toContain('Open GraphiQL');
    const response = await fetch(running.url, { headers: { accept: 'text/html, */*;q=0.8' } });
    expect(response.headers.get('content-type')).toMatch('application/json');
    expect(response.status).toBe(400);
  });
});

describe('without trusted documents', async () => {
  const gateway = await useGateway();
  const persistedQuery = { version: 1, sha256Hash: sha256(DEBTORS) };

  test.each([
    ['documentId', { documentId: sha256(DEBTORS) }],
    ['extensions', { extensions: { persistedQuery } }],
  ])('a hash alone, in %s, makes the client send the text', async (_where, body) => {
    // Apollo reads the code or the message, urql the message alone.
    const unsupported = refusal('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
    expect(await send(gateway.url, { method: 'POST', body })).toMatchObject(unsupported);
    const [[name, value] = ['', '']] = Object.entries(body);
    const parameter = `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`;
    expect(await send(`${gateway.url}?${parameter}`, { method: 'GET' })).toMatchObject(unsupported);
  });

  test('a hash beside a text changes nothing', async () => {
    const body = { query: DEBTORS, variables: { first: 2 }, extensions: { persistedQuery } };
    expect(await send(gateway.url, { method: 'POST', body })).toMatchObject(TRUSTED);
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
    ['a missing file', () => join(folder, 'missing.json'), 'is not a file that can be read'],
    ['a folder', () => folder, 'is not a file that can be read'],
    ['no JSON', () => file('{'), 'takes a JSON object'],
    ['a list', () => file('[]'), 'takes a JSON object'],
    ['no document', () => file('{}'), 'takes a JSON object'],
    ['a document that is no text', () => file('{"a1":5}'), '"a1" takes the text of a document'],
  ])('%s is a fault', async (_what, path, fault) => {
    expect(await faultsOf(path())).toEqual([
      expect.stringMatching(new RegExp(`TRUSTED_DOCUMENTS: .*${fault}`)),
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

interface Request {
  readonly method: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(url: string, { method, body, headers }: Request) {
  const response = await fetch(url, {
    method,
    headers: { ...BEARER, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = JSON.parse(text);
  if (!isObject(json)) throw new TypeError('The answer is no object.');
  return { status: response.status, type: response.headers.get('content-type'), text, body: json };
}
