import { describe, expect, test } from 'vitest';
import { flowchartList } from '../../scripts/docs/flowchart.mjs';
import { withServedLinks } from '../../scripts/docs/links.mjs';
import { renderPage } from '../../scripts/docs/render.mjs';

/** What a line of docs/design.md becomes. */
function rendered(line: string, file = 'docs/design.md'): string {
  const { html } = renderPage(`# Title\n\n${line}\n`, file, new Set());
  return html.replace(/^<h1.*<\/h1>\n/, '').trim();
}

describe('a link', () => {
  test.each([
    ['[x](querying.md#codes)', '<a href="/docs/querying#codes">x</a>'],
    ['[x](#guards)', '<a href="/docs/design#guards">x</a>'],
    ['[x](getting-started.md#in-the-browser)', '<a href="/docs#in-the-browser">x</a>'],
    ['[the README](../README.md)', 'the README (<code>README.md</code>)'],
    ['[x](../CHANGELOG.md)', '<a href="/docs/changelog">x</a>'],
    ['[x](../schema.graphql)', '<a href="/schema.graphql">x</a>'],
    ['[x](http://localhost:4000/graphql)', '<a href="/graphql">x</a>'],
    ['[x](https://example.com/?a=1&b=2)', '<a href="https://example.com/?a=1&amp;b=2">x</a>'],
    ['[a test](../test/schema.test.ts)', 'a test (<code>test/schema.test.ts</code>)'],
    ['[schema.test.ts](../test/schema.test.ts)', '<code>test/schema.test.ts</code>'],
  ])('%s leads to what is served, or names its file', (markdown, html) => {
    expect(rendered(markdown)).toBe(`<p>${html}</p>`);
  });
});

test.each(['javascript:alert(1)', '//example.com/x', 'data:text/html,x'])('a link is no %s', (href) => {
  expect(() => rendered(`[x](${href})`)).toThrow('docs/design.md has a link that is no path');
});

describe('a heading', () => {
  test.each([
    ['What an answer cost', 'what-an-answer-cost'],
    ['Variables, fragments, aliases', 'variables-fragments-aliases'],
    ['`viewer` & 0.2.0', 'viewer--020'],
    ['Überfällig_x-y', 'überfällig_x-y'],
  ])('%s has the anchor that GitHub gives it', (heading, id) => {
    expect(rendered(`## ${heading}`)).toMatch(new RegExp(`^<h2 id="${id}"><a href="#${id}">`));
  });

  test('that comes again has an anchor of its own', () => {
    const { sections } = renderPage('# A\n## B\n### B\n## B\n', 'README.md', new Set());
    expect(sections).toEqual([
      { id: 'b', text: 'B' },
      { id: 'b-2', text: 'B' },
    ]);
  });

  test('of the first level has to come first', () => {
    expect(() => renderPage('## B\n', 'docs/x.md', new Set())).toThrow('docs/x.md does not begin');
  });
});

test('an image is collected, by its path in the repository', () => {
  const images = new Set<string>();
  const { html } = renderPage('# A\n\n![a "b"](dashboard/screenshot.png)\n', 'examples/README.md', images);
  expect(html).toContain(
    '<img src="/docs/screenshot.png" alt="a &quot;b&quot;" width="1423" height="632" loading="lazy">',
  );
  expect([...images]).toEqual(['examples/dashboard/screenshot.png']);
});

test.each([
  ['within a line', 'a <b onclick="x">c</b>'],
  ['as a block', '<script>alert(1)</script>'],
  ['as a comment', '<!-- x -->'],
])('HTML %s is text', (_where, markdown) => {
  expect(rendered(markdown)).not.toMatch(/<(b|script|!)/);
  expect(rendered(markdown)).toContain('&lt;');
});

describe('a block of code', () => {
  test('is escaped, has a label, and can be scrolled with the keyboard', () => {
    expect(rendered('```ts\na<b>("x")\n```')).toBe(`<div class="code">
<div class="bar"><span>TypeScript</span></div>
<pre tabindex="0"><code>a&lt;b&gt;(<span class="string">&quot;x&quot;</span>)</code></pre>
</div>`);
  });

  test('says which operation can be opened, and what its variables are', () => {
    const html = rendered(
      '```graphql\nquery ($a: ID!) { a(b: $a) }\n```\n\n```json\n{ "a": "<" }\n```\n\n```json\n{}\n```',
    );
    const [, operation] = /<span>GraphQL<\/span><!--open (\S+)--><\/div>/.exec(html) ?? [];
    expect(Object.fromEntries(new URLSearchParams(operation))).toEqual({
      query: 'query ($a: ID!) { a(b: $a) }',
      variables: '{ "a": "<" }',
    });
    expect(html.match(/<div class="bar"><span>\w+/g)?.map((bar) => bar.slice(23))).toEqual([
      'GraphQL',
      'Variables',
      'JSON',
    ]);
  });

  test.each(['text', 'nginx', ''])('of the language %j is text', (language) => {
    expect(rendered(`\`\`\`${language}\na "b"\n\`\`\``)).toContain(
      '<span>Text</span></div>\n<pre tabindex="0"><code>a &quot;b&quot;</code>',
    );
  });
});

test('Markdown for other clients has links to what the gateway serves, and code as it is', () => {
  const code = '```\n[a](querying.md)\n```';
  const markdown = `[a](querying.md#codes) ![b](graphiql.png) [c](../src/main.ts) [d](#e)\n\n${code}\n`;
  expect(withServedLinks(markdown, 'docs/design.md')).toBe(
    `[a](/docs/querying#codes) ![b](/docs/graphiql.png) [c](../src/main.ts) [d](/docs/design#e)\n\n${code}\n`,
  );
});

test('a long name in a line may break at its underscores', () => {
  expect(rendered('`A_<B>`, `MAX_CALLS` and `__proto__`')).toBe(
    '<p><code>A_&lt;B&gt;</code>, <code>MAX_<wbr>CALLS</code> and <code>__proto__</code></p>',
  );
});

test('a column without a title has no header', () => {
  expect(rendered('| a | |\n|---|---|\n| b | c |')).toMatch(/<th>a<\/th>\s*<td><\/td>/);
});

describe('a flowchart', () => {
  test('is a list of its arrows', () => {
    const source =
      'flowchart TD\n  %% a comment\n  a(["A & B"]) --> b{"C<br>d?"}\n  b -- no --> c["E"]\n  b -. "x y" .-> a';
    expect(flowchartList(source)).toBe(`<ol class="flowchart">
<li><b>A &amp; B</b> → <b>C</b> (d?)</li>
<li><b>C</b> → <i>no</i> → <b>E</b></li>
<li><b>C</b> → <i>x y</i> → <b>A &amp; B</b></li>
</ol>
`);
  });

  test.each(['sequenceDiagram\n  a->>b: c', 'flowchart TD\n  a --- b'])(
    'that is unknown fails: %j',
    (source) => {
      expect(() => flowchartList(source)).toThrow('rendered');
    },
  );
});
