// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { scriptOf } from '../../../scripts/commands.mjs';

/** @typedef {import('../index.mjs').GraphqlRequest} GraphqlRequest */

const COMPILED = join(import.meta.dirname, 'dist');

/** Compiles the documents, which takes a second: what is measured is what today's compiler makes of them. */
export function compileForRelay() {
  mkdirSync(COMPILED, { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [scriptOf('relay-compiler'), 'relay.config.json'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Relay cannot compile the documents:\n${stderr}`);
}

/**
 * What Relay's network layer sends for a compiled document: `id`, and for connections `__typename`, `cursor` and
 * `pageInfo`.
 * @param {string} key of the document
 * @param {Record<string, unknown>} variables
 * @returns {Promise<GraphqlRequest>}
 */
export async function sentByRelay(key, variables) {
  const { default: compiled } = await import(`./dist/documents${key}Query.graphql.js`);
  return { body: JSON.stringify({ query: compiled.params.text, variables }) };
}
