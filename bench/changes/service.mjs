// @ts-check
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { listen } from '../listen.mjs';

/**
 * A REST service whose debtors change all the time, as many a second as it is told, in so many administrations. What
 * they are called is when the service first showed the change, so that a client sees how long it took from there.
 */
const { values } = parseArgs({
  options: {
    administrations: { type: 'string', default: '50' },
    changes: { type: 'string', default: '100' },
  },
});
const administrations = Number(values.administrations);
const changes = Number(values.changes);
const DEBTORS = 200;
const TICK_MS = 50;

/** @typedef {{ id: string, administration_id: string, name: string | undefined, changedAt: number }} Debtor */

/** @type {Map<string, Debtor[]>} */
const lists = new Map();
for (let index = 0; index < administrations; index += 1) {
  const administration_id = String(index);
  const debtors = Array.from({ length: DEBTORS }, (_, number) => ({
    id: String(1_000 + number),
    administration_id,
    name: 'unchanged',
    changedAt: 0,
  }));
  lists.set(administration_id, debtors);
}

let made = 0;
let owed = 0;
let calls = 0;
setInterval(() => {
  owed += (changes * TICK_MS) / 1_000;
  for (; owed >= 1; owed -= 1) {
    const debtor = lists.get(String(made % administrations))?.[Math.floor(made / administrations) % DEBTORS];
    made += 1;
    if (debtor) Object.assign(debtor, { name: undefined, changedAt: Date.now() });
  }
}, TICK_MS);

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service');
  calls += 1;
  if (pathname === '/counts') return void response.end(JSON.stringify({ calls, made }));
  const after = Date.parse(searchParams.get('updated_after') ?? '');
  const data = [];
  for (const debtor of lists.get(searchParams.get('administration_id') ?? '') ?? []) {
    if (!(debtor.changedAt > after)) continue;
    debtor.name ??= String(Date.now());
    const { id, administration_id, name, changedAt } = debtor;
    data.push({ id, administration_id, name, updated_at: new Date(changedAt).toISOString() });
  }
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ data }));
});
await listen(server);
