import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startProcess } from '../support/processes.ts';
import { post } from '../support/requests.ts';
import { startDemoService } from '../support/rest-service.mjs';
import { times } from '../support/times.ts';

/** Each request holds a megabyte that no budget knows of, until it is answered. */
const HOLD_UNCOUNTED = `
  import { Server } from 'node:http';
  const { emit } = Server.prototype;
  Server.prototype.emit = function (name, request, response) {
    if (name === 'request') {
      const uncounted = Array.from({ length: 1000 }, () => new Array(125).fill(0.5));
      response.once('close', () => uncounted.length);
    }
    return emit.apply(this, arguments);
  };
`;

/** In a process of its own, since without the watch the process ends. */
test('operations give way when the heap is nearly full, even of what is not counted', async () => {
  const rest = await startDemoService();
  onTestFinished(() => rest.close());
  const gateway = await startProcess(
    { REST_URL: rest.url, LOG: 'errors', LOG_FORMAT: 'json', MAX_OPERATIONS: '1000' },
    { before: HOLD_UNCOUNTED, flags: ['--max-old-space-size=256'] },
  );
  const ask = (first: number) =>
    post(
      gateway.url,
      `{ debtors(administrationId: "1001", first: ${first}) { nodes { name } } }`,
      'demo-token-company-a',
    );
  expect(await ask(1)).toBe(200);
  rest.misbehave({ kind: 'delay', milliseconds: 4_000, times: 300 });
  const answers: Promise<number>[] = [];
  for (const first of times(300, (index) => index + 2)) {
    answers.push(ask(first));
    // Nothing could be done about a heap that grows by all of them in one turn of the event loop.
    await sleep(10);
  }
  const statuses = await Promise.all(answers);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(gateway.output()).toContain('heap nearly full');
  expect(await ask(500)).toBe(200);
});
