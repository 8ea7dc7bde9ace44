import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { startDemoService } from '../../../src/demo/service.ts';
import { eventually } from '../../support/eventually.ts';
import { COMBINATIONS, combination, manyLists } from '../../support/large-plans.ts';
import { type Process, startProcess } from '../../support/processes.ts';
import { times } from '../../support/times.ts';

const BOUND = 20_000_000;

/** Tells the heap after a collection whenever it is asked. */
const TELL_HEAP = `
  process.on('message', () => { gc(); gc(); process.send(process.memoryUsage().heapUsed); });
  process.channel.unref();
`;

async function heapOf({ child }: Process): Promise<number> {
  const answer = once(child, 'message');
  child.send('heap');
  const [bytes] = await answer;
  return Number(bytes);
}

async function post(url: string, query: string, token?: string, variables?: object): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  await response.text();
  return response.status;
}

/** Sends requests, sixteen at a time, and expects an answer to each. */
async function sendAll(count: number, send: (index: number) => Promise<number>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      expect(await send(next)).toBeLessThan(500);
    }
  };
  await Promise.all(times(16, worker));
}

/** About two kilobytes, and each one different. */
const document = (index: number) =>
  `query q${index} { ${times(60, (field) => `alias_${index}_of_field_${field}: __typename`).join(' ')} }`;

const kinds = {
  documents: document,
  'documents that cannot be parsed': (index: number) => `{ broken${index} {`,
  'documents that are not valid': (index: number) => `{ unknown${index} }`,
  tokens: () => '{ debtors(administrationId: "1001", first: 1) { nodes { name } } }',
};

test('documents and tokens that come once leave nothing behind', async () => {
  const rest = await startDemoService();
  onTestFinished(() => rest.close());
  const timeouts = { REQUEST_TIMEOUT_MS: '500', REST_TIMEOUT_MS: '500' };
  const gateway = await startProcess(
    { REST_URL: rest.url, ...timeouts },
    { before: TELL_HEAP, flags: ['--expose-gc'] },
  );
  for (const [kind, make] of Object.entries(kinds)) {
    const send = (index: number) => post(gateway.url, make(index), kind === 'tokens' ? `t${index}` : 'x');
    await sendAll(100, send);
    const before = await heapOf(gateway);
    await sendAll(700, (index) => send(1000 + index));
    const grown = async () => expect((await heapOf(gateway)) - before, kind).toBeLessThan(BOUND);
    await eventually(grown, 3000);
  }
}, 60_000);

test('large documents are kept by their size, not by their number', async () => {
  const gateway = await startProcess(
    { REQUEST_TIMEOUT_MS: '1000' },
    { before: TELL_HEAP, flags: ['--expose-gc'] },
  );
  const large = (index: number) =>
    `query q${index} { __typename } #${String(index).repeat(60_000).slice(0, 60_000)}`;
  await sendAll(20, (index) => post(gateway.url, large(index), 'x'));
  const before = await heapOf(gateway);
  await sendAll(200, (index) => post(gateway.url, large(1000 + index), 'x'));
  await eventually(async () => expect((await heapOf(gateway)) - before).toBeLessThan(BOUND), 5000);
}, 30_000);

test('plans in all combinations of conditions leave room in a small heap', async () => {
  const gateway = await startProcess({}, { flags: ['--max-old-space-size=120'] });
  const send = (index: number) => {
    const name = `q${Math.floor(index / COMBINATIONS)}`;
    return post(gateway.url, manyLists(name), undefined, combination(index % COMBINATIONS));
  };
  await sendAll(2 * COMBINATIONS, send);
  expect(gateway.child.exitCode).toBeNull();
}, 30_000);
