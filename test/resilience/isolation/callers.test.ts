import { beforeAll, describe, expect, test } from 'vitest';
import { demoCredentials } from '../../../src/demo/applications.ts';
import { isObject } from '../../../src/rest/json.ts';
import { encodeGlobalId } from '../../../src/schema/fields/node.ts';
import { codesOf } from '../../support/answers.ts';
import { type QueryResult, type TestGateway, useGateway } from '../../support/gateway.ts';
import { present } from '../../support/present.ts';

const logged: string[] = [];
const log = (...line: unknown[]) => void logged.push(JSON.stringify(line));
const gateway = await useGateway({ gateway: { log } });
const caching = await useGateway({ gateway: { log, cacheTtlMs: 60_000 } });
const { tokens } = demoCredentials;

const OF_A = ['1001', '1002', '1003'];
const callers = [
  { token: tokens.companyA, administrations: OF_A, onlyDebtors: false },
  { token: tokens.companyB, administrations: ['2001'], onlyDebtors: false },
  { token: tokens.readOnlyDebtors, administrations: OF_A, onlyDebtors: true },
] as const;

/** Two debtors of each administration, so that callers ask for the same records and for each other's. */
const samples = [...OF_A, '2001'].map((administration) => ({
  administration,
  ids: gateway.rest.data.debtors
    .filter(({ administration_id }) => administration_id === administration)
    .slice(0, 2)
    .map(({ id }) => id),
}));

const kinds = {
  list: 'query ($a: ID!) { debtors(administrationId: $a, first: 20) { nodes { internalId administrationId } } }',
  one: 'query ($a: ID!, $id: ID!) { debtor(administrationId: $a, by: { id: $id }) { internalId administrationId } }',
  node: 'query ($node: ID!) { node(id: $node) { ... on Debtor { internalId administrationId } } }',
  lines:
    'query ($a: ID!) { declarationLines(administrationId: $a, first: 20) { nodes { internalId administrationId } } }',
  cases: `query ($a: ID!) {
    deletedCreditCases(administrationId: $a, first: 5) {
      nodes { internalId administrationId debtor { internalId administrationId } }
    }
  }`,
  viewer: '{ viewer { administrations { administrationId: internalId } } }',
} as const;

const KINDS = ['list', 'one', 'node', 'lines', 'cases', 'viewer'] as const;

function recordsIn(value: unknown): { readonly [name: string]: unknown }[] {
  if (Array.isArray(value)) return value.flatMap(recordsIn);
  if (!isObject(value)) return [];
  return [...('administrationId' in value ? [value] : []), ...Object.values(value).flatMap(recordsIn)];
}

interface Operation {
  readonly caller: (typeof callers)[number];
  readonly kind: (typeof KINDS)[number];
  readonly sample: (typeof samples)[number];
  readonly which: number;
  readonly delay: number;
}

function expectOwn({ caller, kind, sample }: Operation, answer: QueryResult<unknown>): void {
  const records = recordsIn(answer.data);
  if (kind === 'viewer') {
    expect(records.map(({ administrationId }) => administrationId)).toEqual(caller.administrations);
    return;
  }
  const mayRead = !caller.onlyDebtors || !['lines', 'cases'].includes(kind);
  if (mayRead && caller.administrations.some((id) => id === sample.administration)) {
    expect(codesOf(answer)).toEqual([]);
    expect(records.length).toBeGreaterThan(0);
  } else {
    expect(codesOf(answer)).toEqual(['FORBIDDEN']);
    expect(records).toEqual([]);
  }
  expect(new Set(records.map(({ administrationId }) => administrationId)).size).toBeLessThan(2);
  for (const { internalId, administrationId } of records) {
    expect(administrationId).toBe(sample.administration);
    expect(administrationOf.get(String(internalId))).toBe(sample.administration);
  }
}

const administrationOf = new Map<string, string>();

describe('simultaneous callers', () => {
  beforeAll(() => {
    const { debtors, declarationLines, deletedCreditCases } = gateway.rest.data;
    for (const { id, administration_id } of [...debtors, ...declarationLines, ...deletedCreditCases]) {
      administrationOf.set(id, administration_id);
    }
  });

  const gateways = [
    ['nothing is cached', gateway],
    ['reads are cached', caching],
  ] as const;

  /** Sends operations at the same time, lets their REST calls end in another order, and checks each response. */
  async function expectEachOwn(gateway: TestGateway, operations: readonly Operation[]): Promise<void> {
    for (const { delay } of operations) gateway.rest.misbehave({ kind: 'delay', milliseconds: delay });
    const answers = await Promise.all(
      operations.map(({ caller, kind, sample, which }) => {
        const id = sample.ids[which] ?? '';
        const node = encodeGlobalId({ type: 'Debtor', administration: sample.administration, id });
        const variables = { a: sample.administration, id, node };
        return gateway.query(kinds[kind], variables, { authorization: `Bearer ${caller.token}` });
      }),
    );
    for (const [index, operation] of operations.entries()) expectOwn(operation, present(answers[index]));
    gateway.rest.behave();
    expect(logged).toEqual([]);
  }

  test.each(gateways)('each get only their own records if %s', async (_where, gateway) => {
    const all = callers.flatMap((caller) =>
      samples.flatMap((sample) =>
        KINDS.map((kind, index) => ({ caller, sample, kind, which: index % 2, delay: index % 4 })),
      ),
    );
    await expectEachOwn(gateway, all);
  });
});
