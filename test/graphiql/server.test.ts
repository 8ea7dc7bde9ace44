import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createGraphiql } from '../../src/pages/graphiql.ts';
import { makeFolder } from '../support/resources.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const SETTINGS = {
  endpoint: '/graphql',
  credentials: { token: '$& </script><script>alert(1)</script>', clientId: '', clientSecret: '' },
  administrationId: '',
  tabs: [{ query: '{ viewer { clientId } }', variables: null }],
};

const folder = makeFolder(afterAll);
mkdirSync(join(folder, 'built'));
writeFileSync(join(folder, 'secret.js'), 'secret');
writeFileSync(join(folder, 'built/index.html'), '<title>page</title><!--settings-->');

/** Requests a page; undefined if the server leaves the request to others. */
function open(url: string, headers: IncomingHttpHeaders = {}, method = 'GET', build = 'built') {
  const page = createGraphiql(SETTINGS, pathToFileURL(join(folder, build, '/')));
  return page({ url, method, headers });
}

test('the endpoint sends GraphiQL to a browser, without inline scripts and for its own origin', async () => {
  const page = await open('/graphql?from=mail', { accept: BROWSER });
  expect(page).toMatchObject({
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Accept-Encoding',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  });
  const policy = String(page?.headers['Content-Security-Policy']);
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'self'; .*connect-src 'self'; .*frame-ancestors 'none'$/,
  );
  expect(policy).not.toMatch(/https?:|unsafe-eval|\*/);
});

test('the page contains its settings as data that no text in them can end', async () => {
  const text = String((await open('/graphql', { accept: BROWSER }))?.body);
  const [, data = ''] = /<script type="application\/json" id="settings">(.*?)<\/script>/.exec(text) ?? [];
  expect(JSON.parse(data)).toEqual(SETTINGS);
  expect(text.match(/<script/g)).toHaveLength(1);
});

test.each([
  ['/graphql?query={viewer{clientId}}', 'GET', BROWSER],
  ['/graphql', 'POST', BROWSER],
  ['/graphql', 'GET', undefined],
  ['/graphql', 'GET', '*/*'],
  ['/graphql', 'GET', 'application/json'],
  ['/graphql', 'GET', 'text/html;q=0.5, application/graphql-response+json'],
  ['/graphql', 'GET', 'text/html;q=0, */*'],
  ['/graphql/more', 'GET', BROWSER],
])('GraphiQL does not handle %s by %s for %s', (path, method, accept) => {
  expect(open(path, { accept }, method)).toBeUndefined();
});

test.each(['', 'missing.js', '../index.html', '../../secret.js', '..%2f..%2fsecret.js', '__proto__', '%'])(
  'the asset %j does not exist',
  (name) => expect(() => open(`/graphiql/assets/${name}`)).toThrow('no such file'),
);

test('the page says how to build it if it is not built', () => {
  expect(() => open('/graphql', { accept: BROWSER }, 'GET', 'missing')).toThrow('npm run build');
});
