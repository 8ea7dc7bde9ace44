import type { Plugin } from 'graphql-yoga';
import { beforeEach, expect, test } from 'vitest';
import { codesIn } from '../library/support.ts';
import { event, Feed, SSE, SUBSCRIPTION, useFeed } from '../streams/support.ts';
import { BEARER } from '../support/gateway.ts';
import { LIST, useFetchGateway } from './support.ts';

const FAILURE = new Error('secret-of-a-plugin');
const PHASES = [
  'request',
  'requestParse',
  'operation',
  'init',
  'parse',
  'validate',
  'context',
  'execute',
  'subscribe',
  'resultProcess',
] as const;
type Phase = (typeof PHASES)[number];
type Instrument = (run: () => unknown) => unknown;

/** What an instrument must not do, or need not. */
const WAYS: { readonly [way: string]: Instrument } = {
  'throws before': () => {
    throw FAILURE;
  },
  'throws after': (run) => {
    run();
    throw FAILURE;
  },
  'rejects before': async () => {
    await Promise.resolve();
    throw FAILURE;
  },
  'rejects after': async (run) => {
    await run();
    throw FAILURE;
  },
  'rejects after a late': async (run) => {
    await Promise.resolve();
    await run();
    throw FAILURE;
  },
  'rejects after two runs of': async (run) => {
    await run();
    await run();
    throw FAILURE;
  },
};

let observed: { readonly phase: Phase; readonly instrument: Instrument } | undefined;
beforeEach(() => {
  observed = undefined;
});
/** Of a class, so that it is not lost either. */
class Instruments {}
for (const phase of PHASES)
  Object.assign(Instruments.prototype, {
    [phase]: (_payload: unknown, run: () => unknown) =>
      observed?.phase === phase ? observed.instrument(run) : run(),
  });
const usePhases: Plugin = { instrumentation: new Instruments() };
const gateway = await useFetchGateway({
  plugins: [usePhases, useFeed(() => new Feed().tell(event(1)).end())],
});

const CASES = PHASES.flatMap((phase) =>
  Object.entries(WAYS).map(([way, instrument]): [string, Phase, Instrument] => [way, phase, instrument]),
);

// What were not handled would fail the run of this file, and end the process of a user.
test.each(CASES)(
  'an instrument that %s the %s is logged, and the operation is answered, once',
  async (_way, phase, instrument) => {
    observed = { phase, instrument };
    if (phase === 'subscribe') {
      const { text } = await gateway.post({ query: SUBSCRIPTION }, { ...BEARER, ...SSE });
      expect(text).toContain('"e1"');
    } else {
      expect(await gateway.post({ query: LIST })).toMatchObject({
        status: 200,
        body: { data: { debtors: {} } },
      });
      expect(gateway.calls()).toHaveLength(1);
    }
    expect(gateway.log).toMatchObject([{ message: 'unexpected error' }]);
    expect(JSON.stringify(gateway.log)).not.toContain(FAILURE.message);
  },
);

test.each<[string, Instrument]>([
  ['lets through', (run) => run()],
  ['lets through later', async (run) => run()],
  [
    'hides',
    (run) => {
      try {
        run();
      } catch {}
    },
  ],
  [
    'replaces',
    (run) => {
      try {
        run();
      } catch {
        throw FAILURE;
      }
    },
  ],
])(
  'what fails in a phase keeps its answer, and is no fault, if the instrument %s it',
  async (_what, instrument) => {
    observed = { phase: 'parse', instrument };
    expect(codesIn(await gateway.post({ query: '{' }))).toEqual(['GRAPHQL_PARSE_FAILED']);
    expect(gateway.log).toEqual([]);
  },
);
