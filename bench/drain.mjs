// @ts-check
/**
 * SIGTERM under callers that keep their connections: which requests lose their answer? Ends with status 1 if one does
 * whose caller sends without a pause.
 *
 *   node bench/drain.mjs [--rounds 10] [--callers 20]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDemoService } from '../test/support/rest-service.mjs';
import { query, startCallers } from './restarts/callers.mjs';
import { startReplica } from './restarts/replica.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, callers: { type: 'string', default: '20' } },
});
const rounds = Number(values.rounds);
const count = Number(values.callers);

const without = () => 0;
/** @type {readonly { name: string, latencyMs: number, pauseMs: () => number, isLoad: boolean }[]} */
const CASES = [
  ...[0, 5, 50].map((latencyMs) => ({
    name: `REST service of ${latencyMs} ms, no pause`,
    latencyMs,
    pauseMs: without,
    isLoad: true,
  })),
  {
    name: 'REST service of 5 ms, pauses of 0 to 1500 ms',
    latencyMs: 5,
    pauseMs: () => Math.random() * 1500,
    isLoad: false,
  },
];

const rest = await startDemoService();
for (const { name, latencyMs, pauseMs, isLoad } of CASES) {
  const total = { answered: 0, refused: 0, wrong: 0, lost: 0, statuses: new Set() };
  for (let round = 0; round < rounds; round += 1) {
    rest.behave();
    if (latencyMs > 0) rest.misbehave({ kind: 'delay', milliseconds: latencyMs, times: 1e9 });
    const replica = await startReplica({ REST_URL: rest.url, CACHE_TTL_MS: '0', MAX_OPERATIONS: '100000' });
    const url = `http://127.0.0.1:${replica.port}/graphql`;
    const callers = startCallers({ url, count, operation: query, pauseMs, endWhenRefused: true });
    await callers.underWay();
    await sleep(Math.random() * 1000);
    total.statuses.add(await replica.stop());
    const { answered, refused, wrong, lost } = await callers.refused();
    total.answered += answered;
    total.refused += refused;
    total.wrong += wrong.length;
    total.lost += lost.length;
    for (const failure of [...wrong, ...lost].slice(0, 3)) console.log(`  ${failure}`);
  }
  const { answered, refused, wrong, lost, statuses } = total;
  console.log(
    `${name}: ${rounds} rounds of ${count} callers: ${answered} answered, ${refused} refused, ${wrong} wrong, ${lost} lost; status ${[...statuses].join(', ')}`,
  );
  if (wrong > 0 || (isLoad && lost > 0) || [...statuses].some((status) => status !== 0)) process.exitCode = 1;
}
await rest.close();
