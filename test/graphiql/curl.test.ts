import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CurlRequest, curlOf } from '../../src/graphiql/curl.ts';
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

describe('a request as a command', () => {
  test.each([
    ['without a credential', { credentials: NONE, own: {} }, [], []],
    [
      'with a token',
      { credentials: { ...NONE, token: 'abcdef' }, own: {} },
      [`'authorization: Bearer '"$TOKEN"`],
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
      [`'x-client-authorization: Basic '"$APPLICATION"`],
      ['APPLICATION'],
    ],
    [
      'with a token of the tab',
      { credentials: { ...NONE, token: 'abcdef' }, own: { authorization: 'Bearer ghijkl' } },
      [`'authorization: Bearer '"$TOKEN"`],
      ['TOKEN'],
    ],
    [
      'with a key of the tab',
      { credentials: NONE, own: { 'X-Api-Key': 'ghijkl' } },
      [`"$X_API_KEY"`],
      ['X_API_KEY'],
    ],
    [
      'with another header of the tab',
      { credentials: NONE, own: { 'X-Explain': 'true' } },
      [`'x-explain: true'`],
      [],
    ],
  ])('%s', (_case, given, headers, variables) => {
    const copied = curlOf({ url, operation, ...given });
    for (const header of headers) expect(copied.command).toContain(header);
    expect(copied.command).not.toMatch(/abcdef|ghijkl|hidden|accept/);
    expect(copied.variables).toEqual(variables);
  });

  test('sends what the page sends, in one body', () => {
    const { command } = curlOf({ url, operation, credentials: NONE, own: {} });
    expect(command).toBe(
      `curl 'http://localhost:4000/graphql' \\\n  -H 'content-type: application/json' \\\n  -d '{"query":"{ __typename }"}'`,
    );
  });

  test.each([
    ['{ a }', {}, false, []],
    ['query A($b: ID) { a(b: $b) }', { operationName: 'A', variables: { b: "it's" } }, false, []],
    ['mutation { a(b: "c") }', {}, false, []],
    ['{ a } query B { b }', { operationName: 'B' }, false, []],
    ['subscription { a }', {}, true, ['-N', 'accept: text/event-stream']],
  ])('is the same for every kind of operation: %s', (query, others, isSubscription, extras) => {
    const { command } = curlOf({
      url,
      credentials: NONE,
      own: {},
      operation: { query, ...others },
      isSubscription,
    });
    const given = argumentsOf(command, {});
    expect(JSON.parse(given.at(-1) ?? '')).toEqual({ query, ...others });
    expect(given.filter((argument) => /^-N$|^accept/.test(argument))).toEqual(extras);
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
          const request: CurlRequest = {
            url,
            credentials: { ...NONE, token },
            own: { 'X-Secret': other, 'X-Mine': `mine ${token}` },
            operation: { query: typed, variables: { token, other, typed } },
          };
          const { command } = curlOf(request);
          const inJson = JSON.stringify(token).slice(1, -1);
          const [called, ...others] = argumentsOf(command, { TOKEN: token, X_SECRET: other });
          expect(called).toBe(url);
          const body = others.at(-1) ?? '';
          // A variable of a shell is put in as it is: in JSON, that is the same for what needs no escape.
          if (token === inJson && other === JSON.stringify(other).slice(1, -1))
            expect(JSON.parse(body)).toEqual(request.operation);
          expect(others).toContain(`authorization: Bearer ${token}`);
          expect(others).toContain(`x-mine: mine ${token}`);
          for (const form of [token, inJson, other])
            expect(command).not.toContain(form.replaceAll("'", "'\\''"));
        },
      ),
      { numRuns: casesOf({ short: 12, long: 60 }) },
    );
  });
});
