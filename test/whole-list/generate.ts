import fc from 'fast-check';
import { type Pools, poolsOf, rowsOf } from './generate-rows.ts';
import { whereOf } from './generate-where.ts';
import {
  type Field,
  groupFields,
  LISTS,
  type ListSpec,
  orderFields,
  type PathField,
  type PlainField,
} from './lists.ts';
import type { GroupQuery, GroupTerm, OrderTerm, Row } from './model.ts';
import type { Where } from './where.ts';

export interface Ask {
  readonly where?: Where | null;
  readonly orderBy: readonly OrderTerm[];
  readonly first?: number;
  /** The selection of the page; empty for totals and groups alone. */
  readonly page: 'edges' | 'nodes' | 'pageInfo' | 'none';
  readonly select: readonly PlainField[];
  readonly totals: readonly PlainField[] | null;
  readonly groups: readonly (GroupQuery & {
    readonly first?: number;
    readonly totals: readonly PlainField[];
  })[];
}

export interface Case {
  readonly spec: ListSpec;
  readonly rows: readonly Row[];
  /** How many rows the service sends at once, whatever it is asked for. */
  readonly perPage: number;
  readonly asks: readonly Ask[];
}

const DIRECTION = fc.constantFrom('ASC' as const, 'DESC' as const);

/** A list of which only some fields have values. */
export interface Setting {
  readonly spec: ListSpec;
  readonly fields: readonly Field[];
  readonly pools: Pools;
  readonly rows: readonly Row[];
  readonly perPage: number;
}

export const settings: fc.Arbitrary<Setting> = fc
  .constantFrom(...LISTS, ...LISTS.slice(0, 2))
  .chain((spec) =>
    fc.record({
      spec: fc.constant(spec),
      fields: fc.subarray([...spec.fields], { minLength: 1, maxLength: Math.min(5, spec.fields.length) }),
      pools: poolsOf(),
    }),
  )
  .chain((setting) =>
    fc
      .record({
        rows: rowsOf(setting.fields, setting.pools),
        perPage: fc.constantFrom(500, 500, 7, 20),
      })
      .map((sent) => ({ ...setting, ...sent })),
  );

export const cases: fc.Arbitrary<Case> = settings.chain((setting) =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.tuple(askOf(setting)) },
      { weight: 1, arbitrary: fc.array(askOf(setting), { minLength: 2, maxLength: 3 }) },
    )
    .map((asks) => ({ spec: setting.spec, rows: setting.rows, perPage: setting.perPage, asks })),
);

export function askOf({ spec, fields, pools }: Setting): fc.Arbitrary<Ask> {
  return fc
    .record({
      filter: fc.oneof(
        { weight: 2, arbitrary: fc.record({ where: whereOf(spec, fields, pools) }) },
        { weight: 1, arbitrary: fc.constantFrom({}, {}, { where: null }) },
      ),
      orderBy: fc.oneof(fc.constant([]), orderOf(spec, fields)),
      size: fc.oneof(
        fc.constant({}),
        fc.record({ first: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(101, 201)) }),
      ),
      page: fc.constantFrom('edges', 'edges', 'nodes', 'pageInfo', 'none'),
      select: fc.subarray(fields.filter(isPlain).filter(({ isRequired }) => !isRequired)),
      totals: fc.option(fc.subarray(fields.filter(isSummed))),
      groups: groupsOf(spec, fields),
    })
    .map(({ filter, size, ...ask }) => ({ ...ask, ...filter, ...size }))
    .map((ask) =>
      ask.page === 'none' && ask.totals === null && ask.groups.length === 0 ? { ...ask, page: 'nodes' } : ask,
    );
}

export function orderOf(spec: ListSpec, fields: readonly Field[]): fc.Arbitrary<Ask['orderBy']> {
  const possible = pathsIn(orderFields(spec), fields);
  return fc
    .shuffledSubarray(possible, { maxLength: Math.min(3, possible.length) })
    .chain((chosen) => fc.tuple(...chosen.map((by) => DIRECTION.map((direction) => ({ by, direction })))));
}

function groupsOf(spec: ListSpec, fields: readonly Field[]): fc.Arbitrary<Ask['groups']> {
  const chosen = pathsIn(groupFields(spec), fields);
  if (chosen.length === 0) return fc.constant([]);
  const group = fc
    .record(
      {
        by: fc.constantFrom(...chosen),
        thenBy: fc.constantFrom(...chosen),
        first: fc.integer({ min: 1, max: 5 }),
        totals: fc.subarray(fields.filter(isSummed)),
      },
      { requiredKeys: ['by', 'totals'] },
    )
    .chain((query) =>
      fc
        .oneof(fc.constant([]), groupOrderOf(fields, query.thenBy !== undefined))
        .map((orderBy) => ({ ...query, orderBy })),
    );
  return fc.oneof(fc.constant([]), fc.array(group, { minLength: 1, maxLength: 2 }));
}

function groupOrderOf(fields: readonly Field[], hasThenBy: boolean): fc.Arbitrary<GroupTerm[]> {
  const amounts = fields.filter((field): field is PlainField => field.kind === 'amount');
  const possible: GroupTerm['what'][] = ['KEY', 'COUNT', ...amounts];
  if (hasThenBy) possible.push('THEN_KEY');
  return fc
    .shuffledSubarray(possible, { minLength: 1, maxLength: Math.min(3, possible.length) })
    .chain((chosen) =>
      fc.tuple(...chosen.map((what) => DIRECTION.map((direction) => ({ what, direction })))),
    );
}

function isPlain(field: Field): field is PlainField {
  return !('members' in field);
}

function isSummed(field: Field): field is PlainField {
  return field.kind === 'amount' || field.kind === 'int';
}

function pathsIn(all: readonly PathField[], fields: readonly Field[]): PathField[] {
  return all.filter(({ path: [name] }) => fields.some((field) => field.name === name));
}
