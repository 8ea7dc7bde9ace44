// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CriticalityLevel, DiffRule, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

const NAME = 'receivables-graphql';
const root = new URL('../', import.meta.url);

const KINDS = [
  { title: 'Breaking', level: CriticalityLevel.Breaking },
  { title: 'Dangerous', level: CriticalityLevel.Dangerous },
  { title: 'Safe', level: CriticalityLevel.NonBreaking },
];

/** An error that says which file to correct. */
class Fault extends Error {}

/** @typedef {Pick<Console, 'log' | 'error'>} Output */

/**
 * Compares schema.graphql with the schema of the last release, and fails on what breaks clients unless the version
 * says so. With --release the present schema becomes the released one: npm runs that as part of `npm version`.
 * @param {string[]} args
 * @param {Output} output
 * @returns {Promise<number>} the exit status
 */
export async function compareSchemas(args, output) {
  const { released, schema, version, release } = readOptions(args);
  try {
    const since = releasedVersion(released);
    const changes = await diff(readSchema(released), readSchema(schema), [nameAdditionsOnce]);
    if (isBroken(changes, since, version, output)) return 1;
    if (release) writeFileSync(released, `# ${NAME} ${version}\n${readFileSync(schema, 'utf8')}`);
    return 0;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    output.error(error.message);
    return 1;
  }
}

/** @param {string[]} args */
function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      released: { type: 'string', default: fileURLToPath(new URL('.ci/released.graphql', root)) },
      schema: { type: 'string', default: fileURLToPath(new URL('schema.graphql', root)) },
      version: {
        type: 'string',
        default: JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).version,
      },
      release: { type: 'boolean', default: false },
    },
  });
  return values;
}

/**
 * Leaves out the parts of what was added. To all changes the rule of the library would not do: below a field that
 * was given a description, it would leave out what breaks too.
 * @type {import('@graphql-inspector/core').Rule}
 */
async function nameAdditionsOnce({ changes, ...schemas }) {
  const safe = changes.filter((change) => isOf(CriticalityLevel.NonBreaking, change));
  const named = await DiffRule.simplifyChanges({ changes: safe, ...schemas });
  return changes.filter((change) => !safe.includes(change) || named.includes(change));
}

/**
 * @param {string} level
 * @param {import('@graphql-inspector/core').Change} change
 */
function isOf(level, { criticality }) {
  return criticality.level === level;
}

/**
 * Whether something breaks that may not.
 * @param {readonly import('@graphql-inspector/core').Change[]} changes
 * @param {string} since
 * @param {string} version
 * @param {Output} output
 */
function isBroken(changes, since, version, output) {
  if (changes.length === 0) {
    output.log(`The schema is that of ${since}.`);
    return false;
  }
  output.log(`The schema has changed since ${since}.`);
  for (const { title, level } of KINDS) {
    const messages = changes.filter((change) => isOf(level, change)).map(({ message }) => message);
    if (messages.length > 0) output.log([`\n${title}:`, ...messages].join('\n  '));
  }
  if (!changes.some((change) => isOf(CriticalityLevel.Breaking, change))) return false;
  const { part, isReached } = nextBreaking(since, version);
  if (isReached) {
    output.log(`\nThe version is ${version}, which may break what ${since} had.`);
    return false;
  }
  output.error(
    `\nThe version is ${version}, which may not break what ${since} had. Keep what clients use, or raise the ` +
      `version:\n  npm version ${part} --no-git-tag-version --ignore-scripts`,
  );
  return true;
}

/**
 * Which part of a version has to rise before clients may break, and whether it has: before 1.0.0 it is the second.
 * @param {string} since
 * @param {string} version
 */
function nextBreaking(since, version) {
  const [major, minor] = numbersOf(since);
  const [presentMajor, presentMinor] = numbersOf(version);
  if (major > 0 || presentMajor > 0) return { part: 'major', isReached: presentMajor > major };
  return { part: 'minor', isReached: presentMinor > minor };
}

/**
 * @param {string} version
 * @returns {[major: number, minor: number]}
 */
function numbersOf(version) {
  const [, major, minor] = /^(\d+)\.(\d+)\.\d+/.exec(version) ?? [];
  if (major === undefined || minor === undefined)
    throw new Fault(`${version} is not a version such as 0.1.0.`);
  return [Number(major), Number(minor)];
}

/** @param {string} path */
function releasedVersion(path) {
  const [, version] = new RegExp(`^# ${NAME} (\\S+)\n`).exec(readText(path)) ?? [];
  if (version !== undefined) return version;
  throw new Fault(`${path} has to begin with the version that it is of, as in "# ${NAME} 0.1.0".`);
}

/** @param {string} path */
function readSchema(path) {
  try {
    return buildSchema(readText(path));
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(`${path} is not a schema. ${error instanceof Error ? error.message : error}`);
  }
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Fault(`${path} cannot be read.`);
  }
}
