import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { compareSchemas } from '../.ci/compare-schemas.mjs';
import { makeFolder } from './support/resources.ts';

const folder = makeFolder(afterAll);
const released = join(folder, 'released.graphql');
const schema = join(folder, 'schema.graphql');

const BEFORE = 'type Query { a(first: Int): Int b: Status } enum Status { OPEN }';

async function compare(after: string, since = '0.1.0', version = '0.1.0', ...args: string[]) {
  writeFileSync(released, `# receivables-graphql ${since}\n${BEFORE}`);
  writeFileSync(schema, after);
  const printed: string[] = [];
  const say = (text: string) => void printed.push(text);
  const files = ['--released', released, '--schema', schema, '--version', version];
  const status = await compareSchemas([...files, ...args], { log: say, error: say });
  return { status, text: printed.join('\n') };
}

test('schema changes are reported by their effect on clients, and breaking ones are rejected', async () => {
  expect(await compare(BEFORE)).toEqual({ status: 0, text: 'The schema is that of 0.1.0.' });
  const { status, text } = await compare(
    'type Query { a(first: Int): Int c(d: Int): Added } type Added { e: Int } enum Status { OPEN CLOSED }',
  );
  expect(status).toBe(1);
  expect(text).toContain(`The schema has changed since 0.1.0.

Breaking:
  Field 'b' was removed from object type 'Query'

Dangerous:
  Enum value 'CLOSED' was added to enum 'Status'

Safe:
  Type 'Added' was added
  Field 'c' was added to object type 'Query'`);
  expect((await compare(BEFORE.replace('OPEN', 'OPEN CLOSED'))).status).toBe(0);
});

test.each([
  ['0.1.0', '0.1.9', 'minor'],
  ['1.2.0', '1.3.0', 'major'],
  ['0.1.0', '0.2.0', undefined],
  ['0.9.0', '1.0.0', undefined],
  ['0.1.0', '0.2.0-rc.1', undefined],
])('a breaking change since %s in %s needs another version: %s', async (since, version, part) => {
  const { status, text } = await compare('type Query { a(first: Int): Int }', since, version, '--release');
  expect(text).toContain("Field 'b' was removed");
  expect(status).toBe(part ? 1 : 0);
  if (part) expect(text).toContain(`npm version ${part} `);
  // A release that passes makes the schema the released one.
  const kept = part ? `# receivables-graphql ${since}` : `# receivables-graphql ${version}`;
  expect(readFileSync(released, 'utf8').split('\n')[0]).toBe(kept);
});

test.each([
  ['type Query {', 'Syntax Error: Expected Name, found <EOF>.'],
  ['type Query { a: Nothing }', 'Unknown type "Nothing".'],
])('a file that is not a schema is reported in a sentence: %s', async (after, message) => {
  const { status, text } = await compare(after);
  expect([status, text]).toEqual([1, expect.stringContaining(`schema.graphql is not a schema. ${message}`)]);
});
