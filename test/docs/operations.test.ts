import { marked } from 'marked';
import { expect, test } from 'vitest';
import { findOperations, linkTo } from '../../scripts/docs/operations.mjs';
import { blocksOf } from './pages.ts';

function operationsIn(markdown: string) {
  return [...findOperations(marked.lexer(markdown)).operations.values()];
}

const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n\n`;
const QUERY = '{ viewer { scopes } }';
const WITH_VARIABLES = 'query A($a: ID!) { debtors(administrationId: $a) { nodes { name } } }';
const ANSWER = block('json', '{ "data": {} }');

test.each([
  ['a query', block('graphql', QUERY) + ANSWER, { query: QUERY }],
  [
    'a query with its variables',
    block('graphql', WITH_VARIABLES) + block('json', '{ "a": "1" }') + ANSWER,
    { query: WITH_VARIABLES, variables: '{ "a": "1" }' },
  ],
  [
    'a subscription whose variables are not shown',
    `${block('graphql', 'subscription ($a: ID!) { changes(administrationId: $a) { kind } }')}Text\n\n${ANSWER}`,
    { query: 'subscription ($a: ID!) { changes(administrationId: $a) { kind } }' },
  ],
  [
    'a command, whose query is laid out and whose headers stay behind',
    block(
      'sh',
      `curl http://x/graphql \\\n  -H 'Authorization: Bearer t' \\\n  -d '{"query":"{ a { b } }"}'`,
    ) + ANSWER,
    { query: '{\n  a {\n    b\n  }\n}' },
  ],
  [
    'a command with variables and a name',
    block('sh', `curl x -d '{"query":"query A { a }","variables":{"b":1},"operationName":"A"}'`),
    { query: 'query A {\n  a\n}', variables: '{\n  "b": 1\n}', operationName: 'A' },
  ],
  [
    'a command by GET',
    block('sh', `curl -G x \\\n  --data-urlencode 'query={ a }' \\\n  --data-urlencode 'variables={"b":1}'`),
    { query: '{\n  a\n}', variables: '{\n  "b": 1\n}' },
  ],
])('finds %s', (_what, markdown, operation) => {
  expect(operationsIn(markdown)).toEqual([operation]);
});

test.each([
  ['a mistake', block('graphql', '{ a')],
  ['a fragment alone', block('graphql', 'fragment A on B { c }')],
  ['a type', block('graphql', 'type A { b: C }')],
  ['a hash', block('sh', `curl x -d '{"documentId":"sha256:1"}'`)],
  ['several operations', block('sh', `curl x -d '[{"query":"{ a }"}]'`)],
  ['JSON with parts left out', block('sh', `curl x -d '{"query":…}'`)],
  ['another command', block('sh', 'npm start')],
  ['an answer', ANSWER],
])('finds none in %s', (_what, markdown) => {
  expect(operationsIn(markdown)).toEqual([]);
});

test('of the pages, every block of GraphQL can be opened', () => {
  for (const page of ['docs/querying.md', 'docs/lists.md', 'docs/recipes.md', 'docs/credentials.md']) {
    const queries = blocksOf(page).filter(({ language }) => language === 'graphql');
    const markdown = queries.map(({ text }) => block('graphql', text)).join('');
    expect(operationsIn(markdown)).toHaveLength(queries.length);
  }
});

test('a link carries the operation as GraphiQL reads it', () => {
  const operation = { query: '{ a(b: "& é --> #") }', variables: '{ "c": "+ %" }', operationName: 'A' };
  const link = linkTo(operation);
  expect(Object.fromEntries(new URLSearchParams(link))).toEqual(operation);
  // It stands in a comment of the page until the gateway makes a link of it.
  expect(link).not.toMatch(/[\s<>"]/);
});
