import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { compareSchemas } from '../.ci/compare-schemas.mjs';

const script = fileURLToPath(new URL('../.ci/schema-changes.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'schema-changes-'));
const released = join(folder, 'released.graphql');
const schema = join(folder, 'schema.graphql');
afterAll(() => rmSync(folder, { recursive: true }));

const BEFORE = 'type Query { a(first: Int): Int b: Status } enum Status { OPEN }';

function compare(after: string, { before = BEFORE, since = '0.1.0', version = '0.1.0', args = [''] } = {}) {
  writeFileSync(released, `# receivables-graphql ${since}\n${before}`);
  writeFileSync(schema, after);
  return run('--released', released, '--schema', schema, '--version', version, ...args.filter(Boolean));
}

async function run(...args: string[]) {
  const printed = { stdout: '', stderr: '' };
  const status = await compareSchemas(args, {
    log(text) {
      printed.stdout += `${text}\n`;
    },
    error(text) {
      printed.stderr += `${text}\n`;
    },
  });
  return { status, ...printed };
}

describe('a schema', () => {
  test('that is the released one passes', async () => {
    expect(await compare(BEFORE)).toEqual({
      status: 0,
      stdout: 'The schema is that of 0.1.0.\n',
      stderr: '',
    });
  });

  test('has its changes named by what they do to clients', async () => {
    const { status, stdout } = await compare(
      'type Query { a(first: Int): Int c(d: Int): Added } type Added { e: Int } enum Status { OPEN CLOSED }',
    );
    expect(status).toBe(1);
    expect(stdout).toBe(`The schema has changed since 0.1.0.

Breaking:
  Field 'b' was removed from object type 'Query'

Dangerous:
  Enum value 'CLOSED' was added to enum 'Status'

Safe:
  Type 'Added' was added
  Field 'c' was added to object type 'Query'
`);
  });

  test('with safe and dangerous changes passes', async () => {
    const { status, stdout } = await compare(
      'type Query { a(first: Int): Int b: Status c: Int } enum Status { OPEN CLOSED }',
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/Dangerous:\n.*CLOSED[\s\S]*Safe:\n.*'c'/);
  });

  test('that breaks something it also describes fails', async () => {
    const { status, stdout } = await compare(
      'type Query { "New." a(first: Int!): Int! b: Status } enum Status { OPEN }',
    );
    expect(stdout).toMatch(/Breaking:\n.*'Query\.a'/);
    expect(status).toBe(1);
  });
});

describe('a breaking change', () => {
  const broken = 'type Query { a(first: Int): Int }';

  test.each([
    ['0.1.0', '0.1.0', 'minor'],
    ['0.1.0', '0.1.9', 'minor'],
    ['1.2.0', '1.3.0', 'major'],
  ])('since %s is refused for %s, which says what to raise', async (since, version, part) => {
    const { status, stderr } = await compare(broken, { since, version });
    expect(status).toBe(1);
    expect(stderr).toContain(`The version is ${version}, which may not break what ${since} had.`);
    expect(stderr).toContain(`npm version ${part} `);
  });

  test.each([
    ['0.1.0', '0.2.0'],
    ['0.9.0', '1.0.0'],
    ['1.2.0', '2.0.0'],
    ['0.1.0', '0.2.0-rc.1'],
  ])('since %s passes for %s, and is named', async (since, version) => {
    const { status, stdout } = await compare(broken, { since, version });
    expect(status).toBe(0);
    expect(stdout).toContain("Field 'b' was removed");
    expect(stdout).toContain(`The version is ${version}, which may break what ${since} had.`);
  });
});

describe('a release', () => {
  test('makes the schema the released one', async () => {
    const after = 'type Query { a: Int }';
    expect((await compare(after, { version: '0.2.0', args: ['--release'] })).status).toBe(0);
    expect(readFileSync(released, 'utf8')).toBe(`# receivables-graphql 0.2.0\n${after}`);
  });

  test('is refused, and changes nothing, where the version may not break', async () => {
    expect((await compare('type Query { a: Int }', { version: '0.1.1', args: ['--release'] })).status).toBe(
      1,
    );
    expect(readFileSync(released, 'utf8')).toBe(`# receivables-graphql 0.1.0\n${BEFORE}`);
  });
});

describe('what cannot be compared is told in a sentence', () => {
  test.each([
    [
      'no GraphQL',
      'type Query {',
      'schema.graphql is not a schema. Syntax Error: Expected Name, found <EOF>.',
    ],
    [
      'an unknown type',
      'type Query { a: Nothing }',
      'schema.graphql is not a schema. Unknown type "Nothing".',
    ],
  ])('%s', async (_what, after, message) => {
    const { status, stderr } = await compare(after);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('a missing file', async () => {
    const { status, stderr } = await run('--schema', join(folder, 'missing.graphql'));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^\S+missing\.graphql cannot be read\.\n$/);
  });

  test('a released schema that does not say of which version', async () => {
    writeFileSync(schema, BEFORE);
    const { status, stderr } = await run('--released', schema, '--schema', schema);
    expect(status).toBe(1);
    expect(stderr).toContain('has to begin with the version that it is of');
  });

  test('as the command says too, with its status', () => {
    // A process, whose status npm looks at.
    const args = [script, '--schema', join(folder, 'missing.graphql')];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('missing.graphql cannot be read.');
  });
});
