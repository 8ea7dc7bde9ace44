import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { blocksOf, pages, readPage } from '../docs/pages.ts';
import { serveBuilt } from '../support/serve.ts';

const config = readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0' }, []);
const running = await serveBuilt(config);
afterAll(running.stop);
const { origin } = new URL(running.url);

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

function get(path: string, headers: Record<string, string> = BROWSER, method = 'GET'): Promise<Response> {
  return fetch(new URL(path, origin), { method, headers });
}

async function htmlOf(path: string): Promise<string> {
  return (await get(path)).text();
}

/** The values of an attribute, decoded as far as our pages encode them. */
function attributes(html: string, name: string): string[] {
  return Array.from(html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g')), ([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );
}

/** The pages that are served: the design is for who changes the gateway. */
const names = pages
  .filter((page) => !['README.md', 'docs/design.md'].includes(page))
  .map((page) => (page === 'examples/README.md' ? 'examples' : page.slice('docs/'.length, -'.md'.length)));

describe('GET /docs', () => {
  test('links each page, and every link and anchor exists', async () => {
    const seen = new Map<string, string>();
    const links: { readonly from: string; readonly url: URL }[] = [];
    const queue = ['/docs'];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (seen.has(path)) continue;
      const response = await get(path);
      expect(`${path} ${response.status}`).toBe(`${path} 200`);
      const html = await response.text();
      seen.set(path, html);
      if (!path.startsWith('/docs') || !response.headers.get('content-type')?.includes('html')) continue;
      expect(html).toMatch(/^<!doctype html>\n<html lang="en"/);
      expect(html.match(/<h1| aria-current="page"/g)).toHaveLength(2);
      // Nothing that the policy would forbid, and no Markdown that was left over.
      expect(html).not.toMatch(/<style| style=| on\w+="|```|\]\(/);
      const ids = attributes(html, 'id');
      expect(ids).toEqual([...new Set(ids)]);
      const targets = [...attributes(html, 'href'), ...attributes(html, 'src')]
        .map((target) => new URL(target, origin + path))
        .filter((url) => url.origin === origin);
      links.push(...targets.map((url) => ({ from: path, url })));
      queue.push(...targets.map(({ pathname }) => pathname));
    }
    const broken = links
      .filter(({ url: { pathname, hash } }) => {
        // A fragment of a GraphiQL link is an operation.
        if (hash === '' || pathname === '/graphql') return false;
        return !attributes(seen.get(pathname) ?? '', 'id').includes(decodeURIComponent(hash.slice(1)));
      })
      .map(({ from, url }) => `${from} → ${url.pathname}${url.hash}`);
    expect(broken).toEqual([]);
    const expected = [...names, 'graphiql.png', 'style.css', 'page.js'];
    expect([...seen.keys()]).toEqual(expect.arrayContaining(expected.map((name) => `/docs/${name}`)));
  });

  test('starts with getting started, and lists all pages in the order of the README', async () => {
    const response = await get('/docs');
    expect(new URL(response.url).pathname).toBe('/docs/getting-started');
    const [, nav = ''] = /<nav .*?>(.*)<\/nav>/s.exec(await response.text()) ?? [];
    const listed = attributes(nav, 'href').filter((href) => href.startsWith('/docs/'));
    expect(listed.toSorted()).toEqual(names.map((name) => `/docs/${name}`).toSorted());
    const inReadme = names.toSorted((one, other) => placeInReadme(one) - placeInReadme(other));
    expect(listed).toEqual(inReadme.map((name) => `/docs/${name}`));
  });

  test.each(['', 'text/markdown, text/html;q=0.5'])('sends Markdown for Accept: %j', async (accept) => {
    const response = await get('/docs/querying', { accept });
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(await response.text()).toBe(readPage('docs/querying.md'));
  });

  test('links operations to GraphiQL, with their variables', async () => {
    const html = await htmlOf('/docs/querying');
    const operations = attributes(html, 'href')
      .filter((href) => href.startsWith('/graphql#'))
      .map((href) => Object.fromEntries(new URLSearchParams(href.slice('/graphql#'.length))));
    const queries = blocksOf('docs/querying.md').filter(({ language }) => language === 'graphql');
    expect(operations.map(({ query }) => query)).toEqual(
      expect.arrayContaining(queries.map(({ text }) => text)),
    );
    const card = operations.find(({ query = '' }) => query.startsWith('query Card'));
    expect(JSON.parse(card?.variables ?? '')).toEqual({ administration: '1001', number: 'D10000' });
    // A credential belongs into no address.
    expect(JSON.stringify(operations)).not.toContain('demo-token');
  });

  test('has no links to GraphiQL if GraphiQL is off', async () => {
    const file = 'examples/dashboard/src/generated/persisted-documents.json';
    const trusted = await serveBuilt(
      readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', TRUSTED_DOCUMENTS: file }, []),
    );
    onTestFinished(trusted.stop);
    const html = await (await fetch(new URL('/docs/querying', trusted.url), { headers: BROWSER })).text();
    expect(html).not.toMatch(/Open in GraphiQL|href="\/graphql/);
    expect(html).toContain('It rejects the queries on these pages');
    const [, link = '', id = ''] = /<a href="([^"]*)#([^"]*)">trusted documents<\/a>/.exec(html) ?? [];
    const explaining = await fetch(new URL(link, trusted.url), { headers: BROWSER });
    expect(attributes(await explaining.text(), 'id')).toContain(id);
  });

  test('has a Content-Security-Policy for its own style, script, search and images', async () => {
    const { headers } = await get('/docs/querying');
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('a path without a documentation page', () => {
  test.each(['/docs/nothing', '/docs/..%2fpackage.json'])('is an error with a code: %s', async (path) => {
    const response = await get(path, {});
    expect([response.status, response.headers.get('allow')]).toEqual([404, null]);
    expect(await response.json()).toMatchObject({
      errors: [{ message: expect.stringContaining('Start at /docs.'), extensions: { code: 'NOT_FOUND' } }],
    });
  });
});

function placeInReadme(name: string): number {
  return readPage('README.md').indexOf(name === 'examples' ? '(examples/README.md)' : `(docs/${name}.md)`);
}
