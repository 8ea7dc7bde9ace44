import { expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { globalId } from './generate-where.ts';

const gateway = await useGateway();

function debtors(args: string): string {
  return `{ debtors(administrationId: "${ADMINISTRATION}", ids: ["300001", "300007", "300010"], first: 2, ${args}) { edges { cursor node { internalId } } } }`;
}

async function cursorOf(args: string): Promise<string> {
  const { text } = await gateway.query(debtors(args));
  return JSON.parse(text).data.debtors.edges[1].cursor;
}

const BY_NAME = 'orderBy: { field: NAME }';
const NAMED = 'where: { name: { contains: "e" } }';
const PLAIN = 'where: null';

test.each([
  ['of a plain list', PLAIN, BY_NAME],
  ['of another field', 'orderBy: { field: DEBTOR_NUMBER }', BY_NAME],
  ['of the other direction', 'orderBy: { field: NAME, direction: DESC }', BY_NAME],
  ['of a list sorted by id', NAMED, BY_NAME],
])('a sorted list rejects a cursor %s', async (_, from, to) => {
  const cursor = await cursorOf(from);
  gateway.rest.calls.length = 0;
  const answer = await gateway.query(debtors(`${to}, after: "${cursor}"`));
  expect([answer.data, codesOf(answer)]).toEqual([{ debtors: null }, ['BAD_USER_INPUT']]);
  expect(gateway.calls()).toEqual([]);
});

test('a sorted list accepts a cursor of the same order with another filter', async () => {
  const cursor = await cursorOf(BY_NAME);
  const answer = await gateway.query(debtors(`${BY_NAME}, ${NAMED}, after: "${cursor}"`));
  expect(answer.errors).toBeUndefined();
});

test.each([
  ['among: 0', BY_NAME],
  ['among: 5', `where: { internalId: { eq: "${globalId('DeclarationLine', ADMINISTRATION, '300001')}" } }`],
  ['among: 5', `where: { administrationId: { eq: "${globalId('Debtor', '1002', ADMINISTRATION)}" } }`],
  ['among: 5', 'where: { bookOpenAmount: { gt: "a lot" } }'],
  ['among: 5', `where: { name: { contains: "${'x'.repeat(1_001)}" } }`],
  ['among: 5', `where: { or: [${'{ name: { eq: "x" } } '.repeat(100)}] }`],
  ['among: 5', `orderBy: [${'{ field: NAME } '.repeat(11)}]`],
])('a list rejects %s with %s', async (among, args) => {
  const answer = await gateway.query(debtors(`${among}, ${args}`));
  expect(codesOf(answer)).toHaveLength(1);
  expect(codesOf(answer)[0]).toMatch(/BAD_USER_INPUT|GRAPHQL_VALIDATION_FAILED/);
  expect(gateway.calls()).toEqual([]);
});
