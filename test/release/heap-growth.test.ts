import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type RunningProcess, startProcess } from '../support/processes.ts';
import { post, sendAll } from '../support/requests.ts';
import { startDemoService } from '../support/rest-service.mjs';
import { times } from '../support/times.ts';

/** What requests may leave behind that come once: far less than each of them holds while it runs. */
const BYTES_PER_REQUEST = 10_000;
const REQUESTS = 100;

/** Tells the heap after a collection whenever it is asked. */
const TELL_HEAP = `
  process.on('message', () => { gc(); gc(); process.send(process.memoryUsage().heapUsed); });
  process.channel.unref();
`;

async function heapOf({ child }: RunningProcess): Promise<number> {
  const answer = once(child, 'message');
  child.send('heap');
  const [bytes] = await answer;
  return Number(bytes);
}

/** About two kilobytes, and each one different. */
const document = (index: number) =>
  `query q${index} { ${times(60, (field) => `alias_${index}_of_field_${field}: __typename`).join(' ')} }`;

const debtor = () => '{ debtors(administrationId: "1001", first: 1) { nodes { name } } }';
const large = (index: number) =>
  `query q${index} { __typename } #${String(index).repeat(60_000).slice(0, 60_000)}`;

/** Requests of which each comes once: its document, its token, and how many fill the caches. */
const kinds: Record<
  string,
  [document: (index: number) => string, token: (index: number) => string, fill?: number]
> = {
  documents: [document, () => 'x', 300],
  'large documents': [large, () => 'x', 200],
  'documents that cannot be parsed': [(index) => `{ broken${index} {`, () => 'x'],
  'documents that are not valid': [(index) => `{ unknown${index} }`, () => 'x'],
  tokens: [debtor, (index) => `t${index}`],
};

/** In a process of its own: the heap of a worker holds what other tests have left. */
test('documents and tokens that come once leave nothing behind', async () => {
  const rest = await startDemoService();
  onTestFinished(() => rest.close());
  const gateway = await startProcess({ REST_URL: rest.url }, { before: TELL_HEAP, flags: ['--expose-gc'] });
  for (const [kind, [make, token, fill = REQUESTS]] of Object.entries(kinds)) {
    const send = (index: number) => post(gateway.url, make(index), token(index));
    await sendAll(fill, send);
    const bound = (await heapOf(gateway)) + REQUESTS * BYTES_PER_REQUEST;
    await sendAll(REQUESTS, (index) => send(fill + index));
    await eventually(async () => expect(await heapOf(gateway), kind).toBeLessThan(bound));
  }
});
