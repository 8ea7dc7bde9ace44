// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CriticalityLevel, DiffRule, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

/**
 * Compares schema.graphql with the schema of the last release, and fails on what breaks clients unless the version
 * says so. With --release the present schema becomes the released one: npm runs that as part of `npm version`.
 */
const NAME = 'receivables-graphql';
const root = new URL('../', import.meta.url);
const { values: options } = parseArgs({
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

const KINDS = [
  { title: 'Breaking', level: CriticalityLevel.Breaking },
  { title: 'Dangerous', level: CriticalityLevel.Dangerous },
  { title: 'Safe', level: CriticalityLevel.NonBreaking },
];

/** What cannot be compared, in words that say which file to mend. */
class Fault extends Error {}

try {
  const { released, schema, version, release } = options;
  const since = releasedVersion(released);
  const changes = await diff(readSchema(released), readSchema(schema), [nameAdditionsOnce]);
  const isBroken = report(changes, since, version);
  if (isBroken) process.exitCode = 1;
  else if (release) writeFileSync(released, `# ${NAME} ${version}\n${readFileSync(schema, 'utf8')}`);
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/**
 * Leaves out the parts of what was added. To all changes the rule of the library would not do: below a field that
 * was given a description, it would leave out what breaks too.
 * @type {import('@graphql-inspector/core').Rule}
 */
function nameAdditionsOnce({ changes, ...schemas }) {
  const safe = changes.filter((change) => isOf(CriticalityLevel.NonBreaking, change));
  const named = DiffRule.simplifyChanges({ changes: safe, ...schemas });
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
 */
function report(changes, since, version) {
  if (changes.length === 0) {
    console.log(`The schema is that of ${since}.`);
    return false;
  }
  console.log(`The schema has changed since ${since}.`);
  for (const { title, level } of KINDS) {
    const messages = changes.filter((change) => isOf(level, change)).map(({ message }) => message);
    if (messages.length > 0) console.log([`\n${title}:`, ...messages].join('\n  '));
  }
  if (!changes.some((change) => isOf(CriticalityLevel.Breaking, change))) return false;
  const { part, isReached } = nextBreaking(since, version);
  if (isReached) {
    console.log(`\nThe version is ${version}, which may break what ${since} had.`);
    return false;
  }
  console.error(
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
