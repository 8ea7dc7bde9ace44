import fc from 'fast-check';
import {
  type DocumentNode,
  Kind,
  Lexer,
  parse,
  print,
  type SelectionNode,
  Source,
  TokenKind,
  visit,
} from 'graphql';
import { expect, test } from 'vitest';
import { keepComments } from '../../src/graphiql/keep-comments.ts';
import * as documents from '../../src/pages/example-documents.ts';
import { casesOf } from '../support/search.ts';

/** The document as the explorer prints it after a change. */
function edit(written: string, change: (document: DocumentNode) => DocumentNode): string {
  return print(change(parse(written)));
}

const fieldNode = (name: string): SelectionNode => ({
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: name },
});

/** Adds a field at the end of the selections of a field. */
const tick = (parent: string, name: string) => (document: DocumentNode) =>
  visit(document, {
    SelectionSet: (node, _key, above) =>
      above && !Array.isArray(above) && 'name' in above && above.name?.value === parent
        ? { ...node, selections: [...node.selections, fieldNode(name)] }
        : undefined,
  });

const untick = (name: string) => (document: DocumentNode) =>
  visit(document, { Field: (node) => (node.name.value === name ? null : undefined) });

const WRITTEN = `# At the top
query A( # of A
  $b: ID
) {
  # Above a
  a(b: $b) { # beside a
    name # the name
    # amount
    city
    # At the end
  }
}
# At the bottom
`;

test.each([
  ['ticking a field', tick('a', 'added'), WRITTEN.replace('    city\n', '    city\n    added\n')],
  ['unticking a field', untick('city'), WRITTEN.replace('    city\n', '')],
  [
    'unticking a field with a comment beside it',
    untick('name'),
    WRITTEN.replace('    name # the name\n', '    # the name\n'),
  ],
  ['changing nothing', (document: DocumentNode) => document, WRITTEN],
])('%s leaves all else as it is written', (_case, change, result) => {
  expect(keepComments(WRITTEN, edit(WRITTEN, change))).toBe(result);
});

test('arguments and operations are added and removed around comments', () => {
  const written = 'query A {\n  a # beside\n  # above\n  c\n}\n';
  expect(keepComments(written, 'query A {\n  a(b: 1)\n  c\n}')).toBe(
    'query A {\n  a(b: 1) # beside\n  # above\n  c\n}\n',
  );
  expect(keepComments('# Mine\n', 'query B {\n  b\n}')).toBe('# Mine\nquery B {\n  b\n}');
  expect(keepComments('# Mine\nquery A {\n  a\n}', 'query B {\n  b\n}')).toContain('# Mine\nquery B');
});

test.each([
  ['{ a } ', '{\n  a\n  b\n}'],
  ['{ a(b: "unended) } # c', '{\n  a\n}'],
])('%j, which has no comments or is no GraphQL, becomes what was printed', (written, printed) => {
  expect(keepComments(written, printed)).toBe(printed);
});

function scan(text: string): { tokens: string[]; comments: string[] } {
  const lexer = new Lexer(new Source(text));
  const tokens: string[] = [];
  const comments: string[] = [];
  while (lexer.token.kind !== TokenKind.EOF) lexer.advance();
  for (let token = lexer.token.prev; token; token = token.prev)
    (token.kind === TokenKind.COMMENT ? comments : tokens).unshift(`${token.kind} ${token.value}`);
  return { tokens, comments };
}

test('whatever is changed, the document means what was printed, and has every comment in its order', () => {
  const names = fc.constantFrom('a', 'name', 'city', 'nodes', 'debtorNumber', 'postalAddress');
  const change = fc.oneof(
    names.map(untick),
    fc.tuple(names, names).map(([parent, name]) => tick(parent, name)),
  );
  const written = fc
    .tuple(
      fc.constantFrom<string>(WRITTEN, ...Object.values(documents)),
      fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 6 }),
    )
    .map(([document, places]) =>
      // Comments in any place between two tokens, on the line of the one before or on a line of their own.
      places.reduce((text, [place, isOwnLine], index) => {
        const gaps = [...text.matchAll(/(?<![#"\w][^\n]*)\s(?!\s*#)/g)].map(({ index: at }) => at);
        const at = gaps[place % Math.max(gaps.length, 1)] ?? 0;
        return `${text.slice(0, at)}${isOwnLine ? '\n' : ' '}# c${index}\n${text.slice(at)}`;
      }, document),
    );
  fc.assert(
    fc.property(written, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
      const printed = edit(text, (document) => changes.reduce((changed, step) => step(changed), document));
      fc.pre(!printed.includes('{\n\n') && printed.trim() !== '');
      const kept = keepComments(text, printed);
      expect(scan(kept).tokens).toEqual(scan(printed).tokens);
      expect(scan(kept).comments).toEqual(scan(text).comments);
    }),
    { numRuns: casesOf({ short: 60, long: 300 }) },
  );
});
