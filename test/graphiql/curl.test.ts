import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { buildCurl, type CurlRequest } from '../../src/graphiql/curl.ts';

const NONE = { token: '', clientId: '', clientSecret: '' };
const url = 'http://localhost:4000/graphql';
const operation = { query: '{ __typename }' };

function argumentsOf(text: string, env: Record<string, string>): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${text}`;
  const output = execFileSync('sh', ['-c', script], { env, encoding: 'utf8' });
  return output.split('\0').slice(0, -1);
}

describe('a request as a command', () => {
  const token = { ...NONE, token: 'abcdef' };
  const application = { ...NONE, clientId: 'id', clientSecret: 'hidden' };
  const companies = { query: '{ companies { nodes { name } } }' };

  test.each<[Partial<CurlRequest>, header: string | undefined, variables: string[]]>([
    [{}, undefined, []],
    [{ credentials: token }, `'authorization: Bearer '"$TOKEN"`, ['TOKEN']],
    [{ credentials: token, tabHeaders: { authorization: 'Bearer ghijkl' } }, `Bearer '"$TOKEN"`, ['TOKEN']],
    [{ credentials: application }, undefined, []],
    [
      { credentials: application, operation: companies },
      `'x-client-authorization: Basic '"$APPLICATION"`,
      ['APPLICATION'],
    ],
    [{ tabHeaders: { 'X-Api-Key': 'ghijkl' } }, '"$X_API_KEY"', ['X_API_KEY']],
    [{ tabHeaders: { 'X-Explain': 'true' } }, `'x-explain: true'`, []],
  ])('holds no secret: %j', (given, header, variables) => {
    const copied = buildCurl({ url, operation, credentials: NONE, tabHeaders: {}, ...given });
    if (header) expect(copied.command).toContain(header);
    expect(copied.command).not.toMatch(/abcdef|ghijkl|hidden|accept/);
    expect(copied.variables).toEqual(variables);
  });

  test('shows the events of a subscription as they come', () => {
    const { command } = buildCurl({
      url,
      credentials: NONE,
      tabHeaders: {},
      operation,
      isSubscription: true,
    });
    expect(argumentsOf(command, {})).toEqual(expect.arrayContaining(['-N', 'accept: text/event-stream']));
  });

  test('means the same to a shell, whatever it holds, and holds no secret', () => {
    const [token, other, typed] = ["ab'c.$d`*!", "x'{y}!.*`$", `it's "$HOME" \`ls\` \\ !\n é`];
    const request: CurlRequest = {
      url,
      credentials: { ...NONE, token },
      tabHeaders: { 'X-Secret': other, 'X-Mine': `mine ${token}` },
      operation: { query: typed, operationName: 'A', variables: { token, other, typed } },
    };
    const { command } = buildCurl(request);
    const [called, ...others] = argumentsOf(command, { TOKEN: token, X_SECRET: other });
    expect(called).toBe(url);
    expect(JSON.parse(others.at(-1) ?? '')).toEqual(request.operation);
    expect(others).toEqual(
      expect.arrayContaining([`authorization: Bearer ${token}`, `x-mine: mine ${token}`]),
    );
    for (const secret of [token, other]) expect(command).not.toContain(secret.replaceAll("'", "'\\''"));
  });
});
