import { getNamedType, isLeafType, isObjectType } from 'graphql';
import { schema } from '../../src/schema/index.ts';
import { times } from './times.ts';

export const CONDITIONS = ['a', 'b', 'c', 'd', 'e', 'f'];
export const COMBINATIONS = 2 ** CONDITIONS.length;

/** The values of the conditions in one of their combinations. */
export function combination(index: number): Record<string, boolean> {
  return Object.fromEntries(CONDITIONS.map((name, bit) => [name, Math.floor(index / 2 ** bit) % 2 === 1]));
}

const debtor = schema.getType('Debtor');
const leaves = Object.values(isObjectType(debtor) ? debtor.getFields() : {})
  .filter(({ type }) => isLeafType(getNamedType(type)))
  .map(({ name }) => name);

const variables = CONDITIONS.map((name) => `$${name}: Boolean!`).join(' ');
const conditions = CONDITIONS.map((name) => `${name}: __typename @skip(if: $${name})`).join(' ');

/** About 1,400 fields in less than three kilobytes: as many lists, each with all plain fields of a debtor. */
export function manyLists(name: string): string {
  const lists = times(36, (index) => `l${index}: debtors(administrationId: "1001") { nodes { ...F } }`);
  return `query ${name}(${variables}) { ${lists.join(' ')} ${conditions} }
    fragment F on Debtor { ${leaves.join(' ')} }`;
}

/** Documents whose plans are large beside their text, each under a name of its own. */
export const WORST_PLANS: Readonly<Record<string, (name: string) => string>> = {
  'of many lists': manyLists,
  'of many aliases': (name) =>
    `query ${name}(${variables}) { debtors(administrationId: "1001") { nodes {
      ${times(190, (index) => `a${index}: name`).join(' ')} } } ${conditions} }`,
  'of many operations': (name) =>
    `${times(30, (index) => `query ${name}_${index} { debtors(administrationId: "1001") { nodes { ...F } } }`).join(' ')}
     fragment F on Debtor { ${leaves.join(' ')} }`,
  'of fragments in fragments': (name) =>
    `query ${name}(${variables}) { ${times(6, (index) => `a${index}: administration(id: "1001") { ...A }`).join(' ')} ${conditions} }
     fragment A on Administration { ${times(5, (index) => `d${index}: debtor(by: { id: "${index}" }) { ...F }`).join(' ')} }
     fragment F on Debtor { ${leaves.join(' ')} }`,
  'of a field of any type': (name) =>
    `query ${name}(${variables}) { ${times(150, (index) => `n${index}: node(id: "x") { id __typename }`).join(' ')} ${conditions} }`,
  'with long arguments in a fragment': (name) =>
    `query ${name}(${variables}) { ${times(9, (index) => `a${index}: administration(id: "1001") { ...A }`).join(' ')} ${conditions} }
     fragment A on Administration { debtors(ids: [${'"1" '.repeat(500)}]) { nodes { name } } }`,
};
