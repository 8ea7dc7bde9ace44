import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stopAll } from '../processes.mjs';
import { startBuild } from './builds.mjs';
import { converse } from './conversation.mjs';
import { MODES } from './faults.mjs';
import { findKeys } from './keys.mjs';
import { createRandom } from './random.mjs';
import { printDifference, printSummary } from './report.mjs';
import { createRequests, KINDS } from './requests.mjs';
import { shrink } from './shrink.mjs';

const text = (value) => ({ type: 'string', default: value });
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: text('1'),
    operations: text('3000'),
    only: text(''),
    group: text(''),
    ignore: text(''),
    show: text('8'),
    'fail-fast': { type: 'boolean', default: false },
  },
});
const { seed, only, group: onlyGroup } = values;
const [directory] = positionals;
if (!directory || (only && !(only in KINDS))) {
  console.error(`npm run compare -- <directory of the other checkout, built> [options]

  --seed 1            other operations and other faults
  --operations 3000   how many
  --only kind         only ${Object.keys(KINDS).join(', ')}
  --group 17          only this group of operations, as a difference names it
  --ignore a,b        classes of differences that do not count, such as headers
  --show 8            how many differences to print
  --fail-fast         stop at the first difference`);
  process.exit(2);
}

/** Groups at the same time. */
const LANES = 6;
const start = performance.now();
const builds = [
  await startBuild('old', resolve(directory)),
  await startBuild('new', resolve(import.meta.dirname, '../..')),
];
const known = await findKeys(builds[0]);
const ignored = values.ignore.split(',');
const summary = { operations: 0, groups: 0, kinds: {}, classes: {}, cursors: {}, unsteady: [] };
const found = [];
/** If a build ends by itself, one of these did it. */
const underWay = new Set();
process.on('exit', () => underWay.size > 0 && console.error(`Groups under way: ${[...underWay].join(', ')}`));

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopAll().then(() => process.exit(1)));

let next = Number(onlyGroup || 1);
try {
  await Promise.all(Array.from({ length: onlyGroup ? 1 : LANES }, work));
  for (const difference of mostVaried(found).slice(0, Number(values.show))) await print(difference);
  printSummary(summary, found.length, seed, (performance.now() - start) / 1000);
  process.exitCode = found.length > 0 ? 1 : 0;
} finally {
  await stopAll();
  for (const { service } of builds) service.stop();
}

/** Made as short as it goes. */
async function print(difference) {
  const classes = difference.differences.map((one) => one.class);
  const short = await shrink(difference, async (requests, faults) => {
    const result = await compareLast(requests, faults);
    return result.differences.some((one) => classes.includes(one.class));
  });
  const result = await compareLast(short.requests, short.faults);
  const again = `${directory} --seed ${seed}${only && ` --only ${only}`} --group ${difference.group}`;
  printDifference({ ...difference, ...short, result, again });
}

async function work() {
  do {
    const group = next;
    next += 1;
    underWay.add(group);
    await compareGroup(group);
    underWay.delete(group);
  } while (
    !onlyGroup &&
    summary.operations < values.operations &&
    !(values['fail-fast'] && found.length > 0)
  );
}

async function compareGroup(group) {
  const random = createRandom(seed, group);
  const kind = random.weighted(only ? { [only]: 1 } : KINDS);
  const faults = { mode: kind === 'stream' ? 'none' : random.weighted(MODES), seed: `${seed} ${group}` };
  const requests = createRequests(random, known, kind);
  summary.groups += 1;
  for (const [index, result] of (await converse(builds, requests, faults, ignored)).entries()) {
    summary.operations += result.request.operations.length;
    for (const what of result.cursors) count(summary.cursors, what);
    count(summary.kinds, kind);
    if (result.differences.length === 0) continue;
    const until = requests.slice(0, index + 1);
    if (await differsAgain(until, faults)) {
      for (const name of new Set(result.differences.map((one) => one.class))) count(summary.classes, name);
      found.push({ group, kind, faults, requests: until, differences: result.differences });
    } else summary.unsteady.push(group);
    // What follows a difference often follows from it.
    break;
  }
}

async function compareLast(requests, faults) {
  return (await converse(builds, requests, faults, ignored)).at(-1);
}

/** In two more tries: what depends on time is counted by itself. */
async function differsAgain(requests, faults) {
  for (let tries = 0; tries < 2; tries += 1)
    if ((await compareLast(requests, faults)).differences.length === 0) return false;
  return true;
}

/** One of each combination of classes first, in the order of groups. */
function mostVaried(all) {
  const sorted = all.toSorted((one, other) => one.group - other.group);
  const nameOf = ({ differences }) => [...new Set(differences.map((one) => one.class))].sort().join();
  const firsts = new Set(new Map(sorted.toReversed().map((one) => [nameOf(one), one])).values());
  return [...sorted.filter((one) => firsts.has(one)), ...sorted.filter((one) => !firsts.has(one))];
}

function count(table, key) {
  table[key] = (table[key] ?? 0) + 1;
}
