import {
  type ExecutionArgs,
  execute as executeByGraphqlJs,
  getIntrospectionQuery,
  getNamedType,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { isObject } from '../../src/rest/json.ts';
import { schema } from '../../src/schema/index.ts';
import { type FetchGateway, useFetchGateway } from '../http/support/fetch-gateway.ts';
import { ADMINISTRATION } from '../support/gateway.ts';
import { casesOf, SEED } from '../support/search.ts';
import { Random } from './random.ts';
import { randomDocument } from './random-selection.ts';

const useReference: Plugin = {
  onExecute: ({ setExecuteFn }) => setExecuteFn((args: ExecutionArgs) => executeByGraphqlJs(args)),
};
const gateway = await useFetchGateway();
const { rest } = gateway;
const reference = await useFetchGateway({ plugins: [useReference], restUrl: new URL(rest.url) });

async function answerOf({ post }: FetchGateway, query: string, variables: object) {
  const { text } = await post({ query, variables });
  const { data, errors = [] } = JSON.parse(text);
  const places = errors.map(({ path, locations }: { readonly path: unknown; readonly locations: unknown }) =>
    JSON.stringify({ path, locations }),
  );
  return { data, places: places.sort() };
}

/** So many that the first rows are read field by field, and the last by the code that is made on the way. */
const ROWS = 30;
const LISTS = ['debtors', 'declarationLines', 'deletedCreditCases'] as const;

test('results equal those of graphql-js for random selections and faults of the service', async () => {
  const random = new Random(SEED);
  for (let left = casesOf({ short: 20, long: 1_000 }); left > 0; ) {
    const list = random.pick(LISTS);
    const type = getNamedType(schema.getQueryType()?.getFields()[list]?.type);
    if (type === undefined) throw new Error(`there are no ${list}`);
    const field = `${list}(administrationId: "${ADMINISTRATION}", first: ${ROWS})`;
    const document = randomDocument(random, schema, [type, (selection) => `{ ${field} ${selection} }`]);
    const variables = { yes: random.chance(50) };
    // Only our execution reports an error for totals of broken rows.
    const faults = random.chance(50) && !document.includes('totals') ? randomFaults(random) : [];
    rest.behave();
    const times = Number.POSITIVE_INFINITY;
    rest.misbehave({ kind: 'rewrite', times, rewrite: (body) => spoil(body, faults) });
    const ours = await answerOf(gateway, document, variables);
    if (ours.data === undefined) continue;
    left -= 1;
    expect(ours, document).toEqual(await answerOf(reference, document, variables));
  }
  const introspection = getIntrospectionQuery({ oneOf: true });
  expect(await answerOf(gateway, introspection, {})).toEqual(await answerOf(reference, introspection, {}));
});

/** Replacements for members. The reference reads members of a value that is not an object, and we do not. */
const BROKEN = {
  ...Object.fromEntries(
    ['name', 'updated_at', 'labels', 'payment_behaviour', 'book_open_amount', 'amount', 'debtor_id'].map(
      (name) => [name, [null, 'text', 7, 7.5, true, [], {}, [null], [{ name: null }]]],
    ),
  ),
  postal_address: [null, {}, { city: null }, { city: 7 }],
};

interface RowFault {
  readonly row: number;
  readonly member: object;
}

function randomFaults(random: Random): RowFault[] {
  return Array.from({ length: random.below(60) }, () => {
    const [name, values] = random.pick(Object.entries(BROKEN));
    return { row: random.below(ROWS), member: { [name]: values[random.below(values.length)] } };
  });
}

function spoil(body: unknown, faults: readonly RowFault[]): unknown {
  const rows = isObject(body) && Array.isArray(body.data) ? body.data : [];
  for (const { row, member } of faults) if (rows[row]) Object.assign(rows[row], member);
  return body;
}
