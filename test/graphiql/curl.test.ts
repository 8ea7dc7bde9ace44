import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CodeRequest, codeOf } from '../../src/graphiql/curl.ts';
import { casesOf } from '../support/search.ts';

const NONE = { token: '', clientId: '', clientSecret: '' };
const url = 'http://localhost:4000/graphql';
const operation = { query: '{ __typename }' };

/** What curl would be called with, if a shell ran the command. */
function argumentsOf(text: string, env: Record<string, string>): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${text}`;
  const output = execFileSync('sh', ['-c', script], { env, encoding: 'utf8' });
  return output.split('\0').slice(0, -1);
}

describe('a request as code', () => {
  const request = {
    url,
    credentials: { ...NONE, token: 'abcdef' },
    own: {},
    operation: {
      query: 'query A($b: ID) {\n  a(b: $b, c: "`$\\n")\n}',
      variables: { b: 'abcdef', d: null },
    },
  };

  test('of JavaScript sends the same', async () => {
    const { text, variables } = codeOf('fetch', request);
    expect(text).not.toContain('abcdef');
    expect(variables).toEqual(['TOKEN']);
    const sent: unknown[] = [];
    const fake = async (...given: unknown[]) => {
      sent.push(...given);
      return { json: async () => ({}) };
    };
    const code = `return (async () => { ${text.replace('console.log', '')} })()`;
    await new Function('fetch', 'process', code)(fake, { env: { TOKEN: 'abcdef' } });
    const [address, { headers, body }] = sent as [string, { headers: object; body: string }];
    expect(address).toBe(url);
    expect(headers).toEqual({ 'Content-Type': 'application/json', Authorization: 'Bearer abcdef' });
    expect(JSON.parse(body)).toEqual(request.operation);
  });

  test('of Python has texts that it reads back, and no secret', () => {
    const { text, variables } = codeOf('Python', request);
    expect(variables).toEqual(['TOKEN']);
    expect(text).toContain('"Authorization": """Bearer """ + os.environ["TOKEN"],');
    expect(text).toContain('"query": """query A($b: ID) {\n  a(b: $b, c: \\"`$\\\\n\\")\n}""",');
    expect(text).toContain('json.loads("""{\\"b\\":\\"""" + os.environ["TOKEN"] + ');
    expect(text).not.toContain('abcdef');
  });

  const hasPython = spawnSync('python3', ['--version']).status === 0;
  test.skipIf(!hasPython)('of Python sends the same, and prints a refusal too', async () => {
    const sent: unknown[] = [];
    const server = createServer(async (message, response) => {
      sent.push(message.headers.authorization, await json(message));
      response.writeHead(400).end('{"errors":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { text } = codeOf('Python', { ...request, url: `http://127.0.0.1:${port}/` });
    const { stdout } = await promisify(execFile)('python3', ['-c', text], {
      env: { PATH: process.env.PATH, TOKEN: 'abcdef' },
    });
    expect(stdout.trim()).toBe("{'errors': []}");
    expect(sent).toEqual(['Bearer abcdef', request.operation]);
  });

  test('is none for a subscription, which is a stream', () => {
    expect(() => codeOf('fetch', { ...request, isSubscription: true })).toThrow('copy it as cURL');
  });
});

describe('a request as a command', () => {
  test.each([
    ['without a credential', { credentials: NONE, own: {} }, [], []],
    [
      'with a token',
      { credentials: { ...NONE, token: 'abcdef' }, own: {} },
      [`'Authorization: Bearer '"$TOKEN"`],
      ['TOKEN'],
    ],
    [
      'with an application that it does not need',
      { credentials: { ...NONE, clientId: 'id', clientSecret: 'hidden' }, own: {} },
      [],
      [],
    ],
    [
      'with an application that it needs',
      {
        credentials: { ...NONE, clientId: 'id', clientSecret: 'hidden' },
        own: {},
        operation: { query: '{ companies { nodes { name } } }' },
      },
      [`'X-Client-Authorization: Basic '"$APPLICATION"`],
      ['APPLICATION'],
    ],
    [
      'with a token of the tab',
      { credentials: { ...NONE, token: 'abcdef' }, own: { authorization: 'Bearer ghijkl' } },
      [`'Authorization: Bearer '"$TOKEN"`],
      ['TOKEN'],
    ],
    [
      'with a key of the tab',
      { credentials: NONE, own: { 'X-Api-Key': 'ghijkl' } },
      [`"$HEADER_X_API_KEY"`],
      ['HEADER_X_API_KEY'],
    ],
    [
      'with another header of the tab',
      { credentials: NONE, own: { 'X-Explain': 'true' } },
      [`'X-Explain: true'`],
      [],
    ],
  ])('%s', (_case, given, headers, variables) => {
    const command = codeOf('cURL', { url, operation, ...given });
    for (const header of headers) expect(command.text).toContain(header);
    expect(command.text).not.toMatch(/abcdef|ghijkl|hidden|Accept/);
    expect(command.variables).toEqual(variables);
  });

  test('sends what the page sends, in one body', () => {
    const { text } = codeOf('cURL', { url, operation, credentials: NONE, own: {} });
    expect(text).toBe(
      `curl 'http://localhost:4000/graphql' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"query":"{ __typename }"}'`,
    );
  });

  test.each([
    ['{ a }', {}, false, []],
    ['query A($b: ID) { a(b: $b) }', { operationName: 'A', variables: { b: "it's" } }, false, []],
    ['mutation { a(b: "c") }', {}, false, []],
    ['{ a } query B { b }', { operationName: 'B' }, false, []],
    ['subscription { a }', {}, true, ['-N', 'Accept: text/event-stream']],
  ])('is the same for every kind of operation: %s', (query, others, isSubscription, extras) => {
    const { text } = codeOf('cURL', {
      url,
      credentials: NONE,
      own: {},
      operation: { query, ...others },
      isSubscription,
    });
    const given = argumentsOf(text, {});
    expect(JSON.parse(given.at(-1) ?? '')).toEqual({ query, ...others });
    expect(given.filter((argument) => /^-N$|^Accept/.test(argument))).toEqual(extras);
    expect(given).toContain(url);
  });

  test('means the same to a shell, whatever it holds, and holds no secret', () => {
    const secret = fc.string({ minLength: 8, unit: fc.constantFrom(...'ab\'"$`\\!*.{') });
    fc.assert(
      fc.property(
        secret,
        secret,
        fc.string({ unit: fc.constantFrom(...'\'"$`\\!\n é') }),
        (token, other, typed) => {
          fc.pre(!token.includes(other) && !other.includes(token));
          const request: CodeRequest = {
            url,
            credentials: { ...NONE, token },
            own: { 'X-Secret': other, 'X-Mine': `mine ${token}` },
            operation: { query: typed, variables: { token, other, typed } },
          };
          const { text } = codeOf('cURL', request);
          const inJson = JSON.stringify(token).slice(1, -1);
          const [called, ...others] = argumentsOf(text, { TOKEN: token, HEADER_X_SECRET: other });
          expect(called).toBe(url);
          const body = others.at(-1) ?? '';
          // A variable of a shell is put in as it is: in JSON, that is the same for what needs no escape.
          if (token === inJson && other === JSON.stringify(other).slice(1, -1))
            expect(JSON.parse(body)).toEqual(request.operation);
          expect(others).toContain(`Authorization: Bearer ${token}`);
          expect(others).toContain(`X-Mine: mine ${token}`);
          for (const form of [token, inJson, other])
            expect(text).not.toContain(form.replaceAll("'", "'\\''"));
        },
      ),
      { numRuns: casesOf({ short: 12, long: 60 }) },
    );
  });
});
