import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stopAll } from '../processes.mjs';
import { compareAnswers, readAnswer } from './answers.mjs';
import { startBuild } from './builds.mjs';
import { MODES } from './faults.mjs';
import { createRandom } from './random.mjs';
import { printDifference, printSummary } from './report.mjs';
import { createRequests, KINDS, toHttp } from './requests.mjs';
import { records } from './service.mjs';
import { shrink } from './shrink.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    operations: { type: 'string', default: '3000' },
    only: { type: 'string' },
    group: { type: 'string' },
    show: { type: 'string', default: '10' },
    'fail-fast': { type: 'boolean', default: false },
  },
});
const [other] = positionals;
if (!other || (values.only && !(values.only in KINDS))) {
  console.error(`npm run compare -- <directory of the other checkout, built> [options]

  --seed 1           other operations and other faults
  --operations 3000  how many, at least
  --only kind        only ${Object.keys(KINDS).join(', ')}
  --group 17         only this group of operations, as a difference names it
  --show 10          how many differences to print
  --fail-fast        stop at the first difference`);
  process.exit(2);
}

/** Groups at the same time. */
const LANES = 6;
const start = performance.now();
const seed = values.seed;
const old = await startBuild('old', resolve(other));
const now = await startBuild('new', resolve(import.meta.dirname, '../..'));
let runs = 0;
const known = await findKeys();

const summary = { operations: 0, groups: 0, kinds: {}, classes: {}, cursors: {}, different: 0, unsteady: [] };
const count = (table, key) => (table[key] = (table[key] ?? 0) + 1);
const found = [];
const first = Number(values.group ?? 1);
const last = values.group === undefined ? Number.POSITIVE_INFINITY : first;
let next = first;
await Promise.all(Array.from({ length: LANES }, work));

found.sort((one, another) => one.group - another.group);
for (const difference of found.slice(0, Number(values.show))) {
  const kinds = difference.differences.map(({ kind }) => kind);
  const short = await shrink(difference, async (requests, faults) => {
    const result = (await converse(requests, faults)).at(-1);
    return result.differences.some(({ kind }) => kinds.includes(kind));
  });
  const result = (await converse(short.requests, short.faults)).at(-1);
  printDifference({ ...difference, ...short, result, seed, other });
}
printSummary(summary, seed, (performance.now() - start) / 1000);
process.exitCode = summary.different > 0 ? 1 : 0;
await stopAll();
old.service.stop();
now.service.stop();

async function work() {
  const wanted = Number(values.operations);
  while (next <= last && summary.operations < wanted && !(values['fail-fast'] && found.length > 0)) {
    const group = next;
    next += 1;
    await compareGroup(group);
  }
}

async function compareGroup(group) {
  const random = createRandom(seed, group);
  const kind = random.weighted(values.only ? { [values.only]: 1 } : KINDS);
  const mode = kind === 'stream' ? 'none' : random.weighted(MODES);
  const faults = { mode, seed: `${seed} ${group}` };
  const requests = createRequests(random, known, kind);
  const results = await converse(requests, faults);
  summary.groups += 1;
  for (const [index, { request, differences, a, b }] of results.entries()) {
    summary.operations += request.operations.length;
    count(summary.kinds, kind);
    countCursors(request, a, b, differences);
    if (differences.length === 0) continue;
    if (!(await differsAgain(requests.slice(0, index + 1), faults))) {
      summary.unsteady.push(group);
      break;
    }
    summary.different += 1;
    for (const name of new Set(differences.map((difference) => difference.kind)))
      count(summary.classes, name);
    found.push({ group, kind, faults, index, requests: requests.slice(0, index + 1), differences });
    // What follows a difference often follows from it.
    break;
  }
}

/** In two more tries: what depends on time is counted by itself. */
async function differsAgain(requests, faults) {
  for (let tries = 0; tries < 2; tries += 1)
    if ((await converse(requests, faults)).at(-1).differences.length === 0) return false;
  return true;
}

/** Sends the same requests to both builds, one after the other, as a caller whom neither has seen before. */
async function converse(requests, faults) {
  runs += 1;
  const number = runs;
  const open = [old, now].map((build) => build.openRun(number, faults));
  const results = [];
  let cursors = [[], []];
  for (const request of requests) {
    const answers = await Promise.all(
      open.map(async (run, build) => {
        const { from, index = 0 } = request.after ?? {};
        const source = { old: cursors[0], new: cursors[1], own: cursors[build] }[from] ?? [];
        return readAnswer(
          await run.ask(toHttp(request, number, source[index % source.length]), request.events),
        );
      }),
    );
    const [a, b] = answers;
    if (results.length === 0) cursors = answers.map((answer) => answer.cursors);
    const differences = compareAnswers(a, b, faults.mode === 'none');
    results.push({
      request,
      a,
      b,
      differences: request.after ? exceptRefusals(request, a, b, differences) : differences,
    });
  }
  for (const run of open) run.close();
  return results;
}

/** A cursor of the other build may be refused, if that has a code. */
function exceptRefusals({ after: { from } }, a, b, differences) {
  const guest = { old: b, new: a }[from];
  return guest && isRefused(guest) ? [] : differences;
}

function isRefused({ parts }) {
  const isAboutIt = ({ message, extensions }) =>
    extensions?.code === 'BAD_USER_INPUT' && /cursor/i.test(message);
  return parts.some(({ errors = [] }) => errors.some(isAboutIt));
}

function countCursors({ after }, a, b, differences) {
  if (a.cursors.length > 0)
    count(
      summary.cursors,
      String(a.cursors) === String(b.cursors)
        ? 'answers with the same cursors'
        : 'answers with other cursors',
    );
  const guest = { old: b, new: a }[after?.from];
  if (guest)
    count(
      summary.cursors,
      `cursors of the ${after.from} build ${isRefused(guest) ? 'refused' : differences.length > 0 ? 'with another answer' : 'accepted'} by the other`,
    );
}

/** Ids as the old build writes them, and what else finds records. */
async function findKeys() {
  runs += 1;
  const run = old.openRun(runs, {});
  const { debtors, declarationLines, deletedCreditCases, deletedPayments, tasks, messages } = records;
  const counts = { 1003: 30, 1002: 10, 1001: 10, 2001: 3 };
  const some = (records) =>
    Object.entries(counts).flatMap(([id, most]) =>
      records.filter((record) => record.administration_id === id).slice(0, most),
    );
  const idsOf = (records) => some(records).map(({ id }) => id);
  const texts = (records, member) =>
    some(records)
      .map((record) => record[member])
      .filter(Boolean);
  const query = `{ ${Object.keys(counts)
    .map((id) => `a${id}: administration(id: "${id}") { id }`)
    .join(' ')}
    debtors(administrationId: "1003", first: 30) { nodes { id } }
    declarationLines(administrationId: "1003", first: 30) { nodes { id } } }`;
  const request = { via: 'post', operations: [{ query }], credentials: { bearer: 'demo-token-company-a' } };
  const { data } = JSON.parse((await run.ask(toHttp(request, runs))).text);
  run.close();
  const globalIds = [data.debtors, data.declarationLines].map(({ nodes }) => nodes.map(({ id }) => id));
  const administrations = Object.fromEntries(Object.keys(counts).map((id) => [id, data[`a${id}`].id]));
  const others = ['1', '', 'no such id', 'a,b', 'Zm9v', '../x', ...Object.values(administrations)];
  return {
    administrations,
    deletions: texts(deletedPayments, 'deleted_at').slice(0, 6),
    keys: [
      [/debtorNumber/, texts(debtors, 'debtor_number')],
      [/debtorIdentifier/, texts(debtors, 'debtor_identifier')],
      [/orderLineIdentifier/, texts(declarationLines, 'order_line_identifier')],
      [/invoiceIdentifier/, texts(declarationLines, 'invoice_identifier')],
      [/Query\.nodes?\./, [...globalIds.flat(), ...others]],
      [/declarationLine/, [...globalIds[1], ...idsOf(declarationLines)]],
      [/deletedCreditCase/, idsOf(deletedCreditCases)],
      [/deletedPayment/, idsOf(deletedPayments)],
      [/unmarkTask/, idsOf(tasks)],
      [/updateMessages/, idsOf(messages)],
      [/debtor/, [...globalIds[0], ...idsOf(debtors)]],
      [/./, others],
    ],
  };
}
