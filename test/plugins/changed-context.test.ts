import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { useLibrary } from '../library/support.ts';
import { BEARER } from '../support/gateway.ts';

const NAMES = [
  'rest',
  'text',
  'holding',
  'observed',
  'endings',
  'budget',
  'cancellation',
  'loaders',
  'executed',
];
let name = '';

/** Takes a name that the gateway uses for a part of its own. */
const extending: Plugin = {
  onContextBuilding: ({ extendContext }) => extendContext({ [name]: {} }),
};
const { gateway } = await useLibrary({ plugins: [extending] }, { MAX_OPERATIONS: '1' });
const ask = () =>
  gateway.fetch('http://localhost/graphql', {
    method: 'POST',
    headers: { ...BEARER, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ debtors(administrationId: "1001", first: 1) { nodes { name } } }' }),
  });

test.each(NAMES)(
  'a plugin that puts its own `%s` into the context leaks neither a stack nor a place',
  async (taken) => {
    name = taken;
    for (const _time of [1, 2, 3]) {
      const response = await ask();
      const text = await response.text();
      expect(text).not.toMatch(/TypeError|is not a function|\.[tj]s\b|node_modules/);
      expect(text).not.toContain('OVERLOADED');
    }
    expect(gateway.stats().operationsInFlight).toBe(0);
  },
);
