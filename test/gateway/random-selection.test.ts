import fc from 'fast-check';
import { expect, test } from 'vitest';
import { debtorShape, type ShapeField } from '../../src/demo/data/records.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { debtorsOf } from '../support/rest-records.ts';
import { casesOf } from '../support/search.ts';
import { camelCase } from './support.ts';

const gateway = await useGateway();

const SHAPE: ReadonlyMap<string, ShapeField> = new Map(Object.entries(debtorShape));
const COUNT = 3;

/** One field of a random selection, and how it is written down. */
interface Picked {
  readonly field: string;
  readonly member: number;
  readonly alias: boolean;
  readonly isIncluded: boolean;
  readonly wrapping: 'none' | 'inline' | 'typed' | 'interface' | 'named';
}

const pickedField: fc.Arbitrary<Picked> = fc.record({
  field: fc.constantFrom(...SHAPE.keys()),
  member: fc.nat(10),
  alias: fc.boolean(),
  isIncluded: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
  wrapping: fc.constantFrom('none', 'inline', 'typed', 'interface', 'named'),
});

const memberOf = ({ field, member }: Picked) => {
  const members = SHAPE.get(field)?.nested;
  return members?.[member % members.length];
};
const nameOf = (field: string) => (field === 'id' ? 'internalId' : camelCase(field));
const keyOf = (picked: Picked, index: number) => (picked.alias ? `a${index}` : nameOf(picked.field));

function write(selection: readonly Picked[]): string {
  const fragments: string[] = [];
  const fields = selection.map((picked, index) => {
    const member = memberOf(picked);
    const directive = picked.isIncluded ? '@include(if: $yes)' : '@skip(if: $yes)';
    const alias = picked.alias ? `${keyOf(picked, index)}: ` : '';
    const field = `${alias}${nameOf(picked.field)} ${member ? `{ ${camelCase(member)} }` : ''}`;
    if (picked.wrapping === 'inline') return `... ${directive} { ${field} }`;
    if (picked.wrapping === 'typed') return `... on Debtor ${directive} { ${field} }`;
    if (picked.wrapping === 'interface') return `... on Node ${directive} { ... on Debtor { ${field} } }`;
    if (picked.wrapping === 'none') return field.replace(/(\{|$)/, `${directive} $1`);
    fragments.push(`fragment F${index} on Debtor { ${field} }`);
    return `...F${index} ${directive}`;
  });
  // The selection is dealt out over `nodes` and a second `nodes`, which GraphQL makes one.
  const half = Math.ceil(fields.length / 2);
  const nodes = [fields.slice(0, half), fields.slice(half)].filter((part) => part.length > 0);
  return `query ($yes: Boolean!) {
    debtors(administrationId: "${ADMINISTRATION}", first: ${COUNT}) {
      ${nodes.map((part) => `nodes { ${part.join(' ')} }`).join(' ')}
    }
  } ${fragments.join(' ')}`;
}

/** What `fields.only` must hold: each name once, objects with the members that were asked for. */
function expectedNames(selection: readonly Picked[]): unknown[] {
  const names = new Map<string, Set<string>>([
    ['id', new Set()],
    ['administration_id', new Set()],
  ]);
  for (const picked of selection) {
    const members = names.get(picked.field) ?? new Set();
    const member = memberOf(picked);
    names.set(picked.field, member ? members.add(member) : members);
  }
  return Array.from(names, ([name, members]) => (members.size ? { [name]: [...members] } : name));
}

/** What a record must look like in the answer: the selected keys and no other. */
function expectedRow(record: object, selection: ReadonlyMap<string, Picked[]>): object {
  const values = new Map<string, unknown>(Object.entries(record));
  return Object.fromEntries(
    Array.from(selection, ([key, fields]) => {
      const [{ field } = { field: '' }] = fields;
      const members = fields.map(memberOf).filter((member) => member !== undefined);
      return [key, expectedValue(values.get(field), members)];
    }),
  );
}

function expectedValue(value: unknown, members: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => expectedValue(item, members));
  if (typeof value !== 'object' || value === null) return value ?? null;
  const values = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(members.map((member) => [camelCase(member), values.get(member) ?? null]));
}

test('any selection asks REST for exactly its fields, and is answered with exactly its keys', async () => {
  const records = debtorsOf(gateway, ADMINISTRATION).slice(0, COUNT);
  const selections = fc.array(pickedField, { minLength: 1, maxLength: 14 });

  await fc.assert(
    fc.asyncProperty(selections, async (selection) => {
      gateway.rest.calls.length = 0;
      const { data, errors } = await gateway.query(write(selection), { yes: true });
      expect(errors).toBeUndefined();

      const included = selection.filter(({ isIncluded }) => isIncluded);
      const [call, ...others] = gateway.calls();
      expect(others).toEqual([]);
      expect(sorted(call?.only)).toEqual(sorted(expectedNames(included)));

      const byKey = new Map<string, Picked[]>();
      for (const [index, picked] of selection.entries()) {
        const key = keyOf(picked, index);
        if (picked.isIncluded) byKey.set(key, [...(byKey.get(key) ?? []), picked]);
      }
      expect(data).toEqual({ debtors: { nodes: records.map((record) => expectedRow(record, byKey)) } });
    }),
    { numRuns: casesOf({ short: 16, long: 80 }) },
  );
});

/** Order does not count, at either level. */
function sorted(names: unknown): string[] {
  if (!Array.isArray(names)) throw new TypeError('`only` is not a list');
  return names
    .map((name: unknown) =>
      typeof name === 'object' && name !== null
        ? JSON.stringify(Object.entries(name).map(([key, members]) => [key, [...members].sort()]))
        : JSON.stringify(name),
    )
    .sort();
}
