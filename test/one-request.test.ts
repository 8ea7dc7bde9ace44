import { expect } from 'vitest';
import { Random } from './execution/random.ts';
import { LONG_REQUESTS } from './support/long-requests.ts';
import { LOOPBACK_ADDRESSES, testWith } from './support/requirements.ts';
import { casesOf, SEED } from './support/search.ts';
import { startWatchedGateway } from './support/watched-gateway.ts';
import { searchWorst } from './support/worst-request.ts';

const gateway = await startWatchedGateway();
const COUNT = casesOf({ short: 16, long: 1_000 });

testWith(LOOPBACK_ADDRESSES)(
  'no request holds the event loop for long, whatever it combines',
  async () => {
    for (const [kind, request] of Object.entries(LONG_REQUESTS))
      expect(await gateway.holdOf(JSON.stringify(request), 3_000), kind).toBeLessThan(1);
    const worst = await searchWorst(new Random(SEED), COUNT, (body) => gateway.holdOf(body));
    const message = `of 250 ms, with seed ${SEED}: ${worst?.body.slice(0, 5_000)}`;
    expect(worst?.measured, message).toBeLessThan(1);
  },
  3_600_000,
);
