import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { scriptOf } from '../../scripts/commands.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const project = join(root, 'examples/relay');
const compiler = scriptOf('relay-compiler');
const copy = await mkdtemp(join(tmpdir(), 'relay-'));
afterAll(() => rm(copy, { recursive: true }));

/** Fails where a document does not fit the schema. With the whole schema, `npm run check` runs it. */
function compile(folder: string): Promise<unknown> {
  return promisify(execFile)(process.execPath, [compiler, '--validate'], { cwd: folder });
}

test.each([
  ['node', /^ {2}node\([^)]*\): Node$/m, 'Invalid use of @refetchable'],
  ['cursor', /^ {2}cursor: String!$/gm, '@connection used on invalid field'],
])('without the field "%s" Relay would refuse the schema', async (_, field, complaint) => {
  const schema = await readFile(join(root, 'schema.graphql'), 'utf8');
  const withoutDescriptions = schema.replace(/^ *""".*?"""$/gms, '');
  await cp(project, join(copy, 'examples/relay'), { recursive: true });
  await writeFile(join(copy, 'schema.graphql'), withoutDescriptions.replace(field, ''));
  await expect(compile(join(copy, 'examples/relay'))).rejects.toMatchObject({
    stderr: expect.stringContaining(complaint),
  });
});
