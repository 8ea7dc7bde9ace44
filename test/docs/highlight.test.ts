import fc from 'fast-check';
import { expect, test } from 'vitest';
import { highlight } from '../../scripts/docs/highlight.mjs';
import { blocksOf, pages } from './pages.ts';

const LANGUAGES = ['graphql', 'json', 'http', 'sh', 'ts', 'python', 'csv', ''];

/** The text that a browser shows. */
function shown(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** The tokens of a kind. */
function tokens(code: string, language: string, kind: string): string[] {
  const spans = highlight(code, language).matchAll(new RegExp(`<span class="${kind}">(.*?)</span>`, 'gs'));
  return Array.from(spans, ([, token = '']) => shown(token));
}

test('no character of any code is lost or changed', () => {
  const pieces = fc.constantFrom(
    ...'"\'`#$@\\\n </>&{}():-=/*.1aAé',
    'query',
    'true',
    '"""',
    '&lt;',
    '<span>',
  );
  fc.assert(
    fc.property(
      fc.array(pieces).map((list) => list.join('')),
      fc.constantFrom(...LANGUAGES),
      (code, language) => {
        const html = highlight(code, language);
        expect(shown(html)).toBe(code);
        expect(html.replace(/<span class="[a-z]+">|<\/span>/g, '')).not.toMatch(/[<>"]/);
      },
    ),
  );
});

test('nor of the blocks of the pages, whose address of the gateway stays in one piece', () => {
  for (const { language, text } of pages.flatMap(blocksOf)) {
    const html = highlight(text, language);
    expect(shown(html)).toBe(text);
    expect(html.split('http://localhost:4000')).toHaveLength(text.split('http://localhost:4000').length);
  }
});

test.each([
  ['graphql', 'keyword', 'query A { a on }', ['query', 'on']],
  ['graphql', 'variable', '($a: Int) @include(if: $a)', ['$a', '@include', '$a']],
  ['graphql', 'property', '{ x: debtors(first: 2) }', ['x', 'first']],
  ['graphql', 'type', '($a: [ID!]!) { ... on Debtor { a } }', ['ID', 'Debtor']],
  ['graphql', 'string', '{ a(b: "x \\" # y", c: """z "q" """) }', ['"x \\" # y"', '"""z "q" """']],
  ['graphql', 'comment', '# a "b"\n{ c }', ['# a "b"']],
  ['graphql', 'number', '{ d10 a(first: 20, b: -1.5) }', ['20', '-1.5']],
  ['json', 'property', '{"a": "b", "c" : [true, 1.50]}', ['"a"', '"c"']],
  ['json', 'string', '{"a": "b: \\"c\\"", "d": null}', ['"b: \\"c\\""']],
  ['json', 'number', '[1.50, -2e3, "4"]', ['1.50', '-2e3']],
  ['http', 'property', 'X-Explain: true\nAccept: a', ['X-Explain', 'Accept']],
  ['sh', 'keyword', 'sudo cat a | curl b && node c\nA=b node d', ['sudo', 'cat', 'curl', 'node']],
  ['sh', 'string', 'curl -d \'{\n"a":1}\' "b"', ['\'{\n"a":1}\'', '"b"']],
  ['sh', 'property', 'curl -G a-b --data-urlencode c', ['-G', '--data-urlencode']],
  ['sh', 'variable', 'REST_URL=a b $TOKEN', ['REST_URL', '$TOKEN']],
  ['sh', 'comment', 'a#b # c', ['# c']],
  ['ts', 'keyword', 'const { data } = await f();', ['const', 'await']],
  ['ts', 'comment', "a('http://b'); // c", ['// c']],
  ['ts', 'string', 'a(`b\n#`, "d", \'e\')', ['`b\n#`', '"d"', "'e'"]],
  ['python', 'keyword', 'for a in None:', ['for', 'in', 'None']],
  ['csv', 'number', 'a,1', []],
])('in %s it finds each %s', (language, kind, code, found) => {
  expect(tokens(code, language, kind)).toEqual(found);
});
