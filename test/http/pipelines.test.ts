import { expect, test } from 'vitest';
import { Random } from '../execution/random.ts';
import { BEARER, useGateway } from '../support/gateway.ts';
import { casesOf, SEED } from '../support/search.ts';
import { times } from '../support/times.ts';
import { KINDS, pipelineOf } from './support/pipelines.ts';
import { answersIn, converse } from './support/responses.ts';

const CASES = casesOf({ short: 60, long: 20_000 });
const TOGETHER = 25;

const faults: unknown[] = [];
const gateway = await useGateway({
  handler: { log: (_level, _message, details) => void faults.push(details) },
});

/** What each kind of request gets on a connection of its own. */
async function answersAlone() {
  const alone = new Map<string, string>();
  for (const [kind, request] of Object.entries(KINDS)) {
    const { text } = await converse(gateway.url, [request('id')], { until: [kind] });
    const [answer] = answersIn(text, [kind]);
    if (answer === undefined) throw new Error(`${kind} is not answered: ${text}`);
    alone.set(kind, answer.content);
  }
  return alone;
}

/**
 * Whatever stands behind a request, however it is cut into packets and however the client leaves: answers are those of
 * the first requests, in their order, each as if it had come alone; after one that says `Connection: close` there is
 * none; and where requests are left over, the connection ends.
 */
test(`answers of ${CASES} random pipelines are in the order of their requests`, async () => {
  const alone = await answersAlone();
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 2 });
  for (let start = 0; start < CASES; start += TOGETHER) {
    await Promise.all(
      times(Math.min(TOGETHER, CASES - start), (index) => check(SEED + start + index, alone)),
    );
  }
  expect(faults).toEqual([]);
  const { status } = await gateway.query('{ __typename }', {}, BEARER);
  expect(status).toBe(200);
});

async function check(seed: number, alone: ReadonlyMap<string, string>): Promise<void> {
  const { kinds, packets, leaves } = pipelineOf(new Random(seed));
  const { text, isEnded } = await converse(gateway.url, packets, { leaves, until: kinds });
  const answers = answersIn(text, kinds, leaves !== undefined);
  const context = `seed ${seed}: ${kinds.join(', ')} (${leaves ?? 'stays'})`;
  expect(
    answers.map(({ content }) => content),
    context,
  ).toEqual(kinds.slice(0, answers.length).map((kind) => alone.get(kind)));
  const last = answers.findIndex(({ closes }) => closes);
  if (last >= 0) expect(answers, context).toHaveLength(last + 1);
  if (leaves !== undefined) return;
  if (answers.length < kinds.length) expect(isEnded, context).toBe(true);
}
