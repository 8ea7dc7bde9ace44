import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { BEARER } from '../support/gateway.ts';
import { useFetchGateway } from './support.ts';

let user: Plugin = {};
const gateway = await useFetchGateway(
  {
    plugins: [
      {
        onSubscribe: (payload: never) => user.onSubscribe?.(payload),
        onExecutionResult: (payload) => user.onExecutionResult?.(payload),
        onResultProcess: (payload) => user.onResultProcess?.(payload),
      },
    ],
  },
  { MAX_SUBSCRIPTIONS: '1' },
);

const OTHER = { data: null, errors: [] };
const query = 'subscription { changes(administrationId: "1001", kinds: [DEBTOR_CHANGED]) { kind } }';

const fail = () => {
  throw new Error('no');
};

test.each<[string, Plugin]>([
  ['puts another result in its place', { onExecutionResult: ({ setResult }) => setResult(OTHER) }],
  ['fails when it is open', { onExecutionResult: fail }],
  [
    'subscribes to something else',
    { onSubscribe: () => ({ onSubscribeResult: ({ setResult }) => setResult(OTHER) }) },
  ],
  ['fails behind the subscription', { onSubscribe: () => ({ onSubscribeResult: fail }) }],
  ['puts another result in its place at last', { onResultProcess: ({ setResult }) => setResult(OTHER) }],
])('a plugin that %s ends the stream, and makes room for the next', async (_what, given) => {
  user = given;
  for (const _again of [1, 2, 3]) {
    const { text } = await gateway.post({ query }, { ...BEARER, accept: 'text/event-stream' });
    expect(text).not.toContain('OVERLOADED');
  }
  // Checked after each test: nothing is held.
});
