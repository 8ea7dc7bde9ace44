import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stopAll } from '../processes.mjs';
import { converse, startBuild } from './builds.mjs';
import { MODES } from './faults.mjs';
import { createRandom } from './random.mjs';
import { createRequests, KINDS } from './requests.mjs';

const text = (value) => ({ type: 'string', default: value });
const options = { seed: text('1'), operations: text('3000'), group: text(''), ignore: text('') };
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const { seed, group: onlyGroup } = values;
const [directory] = positionals;
if (!directory) {
  console.error(`npm run compare -- <directory of the other checkout, built> [options]

  --seed 1            other operations and other faults
  --operations 3000   how many
  --group 17          only this group of operations, as a difference names it
  --ignore a,b        classes of differences that do not count, such as headers`);
  process.exit(2);
}

/** Groups at the same time. */
const LANES = 6;
/** Differences that are printed. */
const SHOWN = 8;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopAll().then(() => process.exit(1)));
const builds = [
  await startBuild('The old build', resolve(directory)),
  await startBuild('The new build', resolve(import.meta.dirname, '../..')),
];
const ignored = values.ignore.split(',');
/** Differences by their class. */
const found = new Map();
/** Groups that differed once, but not when they were tried again. */
const unsteady = [];
let operations = 0;
let next = Number(onlyGroup || 1);

try {
  await Promise.all(Array.from({ length: onlyGroup ? 1 : LANES }, work));
  for (const [difference] of [...found.values()].slice(0, SHOWN)) print(difference);
  console.log(`\n${operations} operations in ${next - 1} groups, seed ${seed}`);
  if (unsteady.length > 0) console.log(`differed, but not when tried again: groups ${unsteady.join(', ')}`);
  for (const [classes, groups] of found) console.log(`${groups.length} groups differ in ${classes}`);
  if (found.size === 0) console.log('No differences.');
  process.exitCode = found.size > 0 ? 1 : 0;
} finally {
  await stopAll();
  for (const { service } of builds) service.stop();
}

/** A difference, with what is needed to see it again. */
function print({ group, kind, faults, classes, requests, result: { differences, a, b } }) {
  const partOf = ({ status, parts, calls }) => ({ status, parts: JSON.stringify(parts), calls });
  console.log(`\n=== ${classes} === (group ${group}: ${kind}, faults: ${faults.mode})`);
  console.log(`again: npm run compare -- ${directory} --seed ${seed} --group ${group}`);
  const shown = { requests, differences, old: partOf(a), new: partOf(b) };
  console.dir(shown, { depth: 8, maxArrayLength: 12, maxStringLength: 2_000, breakLength: 120 });
}

async function work() {
  do {
    next += 1;
    await compareGroup(next - 1);
  } while (!onlyGroup && operations < values.operations);
}

async function compareGroup(group) {
  const random = createRandom(seed, group);
  const kind = random.weighted(KINDS);
  const faults = { mode: random.weighted(MODES), seed: `${seed} ${group}` };
  const requests = createRequests(random, kind);
  const results = await converse(builds, requests, faults, ignored);
  // A difference often causes others, so stop at the first.
  const first = results.findIndex(({ differences }) => differences.length > 0);
  const compared = results.slice(0, first < 0 ? undefined : first + 1);
  operations += compared.flatMap(({ request }) => request.operations).length;
  if (first < 0) return;
  const shortest = await fewestRequests(requests.slice(0, first + 1), faults);
  if (!shortest) return void unsteady.push(group);
  const classes = [...new Set(shortest.result.differences.map((one) => one.class))].sort().join(', ');
  found.set(classes, [...(found.get(classes) ?? []), { group, kind, faults, classes, ...shortest }]);
}

/** Leaves out requests that a difference does not need; undefined if it does not come again. */
async function fewestRequests(all, faults) {
  let shortest;
  for (const requests of [all, ...all.slice(1).map((_, at) => all.slice(at + 1))]) {
    const result = (await converse(builds, requests, faults, ignored)).at(-1);
    if (result.differences.length === 0) break;
    shortest = { requests, result };
  }
  return shortest;
}
