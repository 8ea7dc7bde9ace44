import { buildSchema, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createExportPlan } from '../../src/export/export-plan.ts';
import { readExportRequest } from '../../src/export/export-request.ts';
import { defineResource } from '../../src/rest/resource.ts';
import { id } from '../../src/rest/values.ts';
import { restMetadata } from '../../src/schema/fields/metadata.ts';

const schema = buildSchema(`
  type Query {
    items(where: ItemWhere, orderBy: [ItemOrder!], among: Int = 10000, first: Int = 100, after: String): Items
  }
  input ItemWhere { name: String }
  enum ItemOrder { NAME }
  type Items { nodes: [Item] edges: [Edge] pageInfo: PageInfo totals: Item }
  type Edge { cursor: String node: Item }
  type PageInfo { hasNextPage: Boolean endCursor: String }
  type Item { name: String }
`);
const listedResource = defineResource({
  name: 'items',
  type: 'Item',
  path: '/v1/items',
  credential: 'bearer',
  takesFields: true,
  members: { internalId: id.required('Id.', 'id') },
  filters: {},
});
const items = schema.getQueryType()?.getFields().items;
Object.assign(items ?? {}, { extensions: restMetadata({ listedResource }) });

const MAX_FIRST = 1_000;

function planOf(args: string, variableValues = {}, search = '') {
  const declared = 'first: Int, $after: String, $where: ItemWhere';
  const document = parse(`query ($${declared}) { items${args} { nodes { name } } }`);
  return createExportPlan(
    { schema, document, variableValues },
    readExportRequest('ndjson', search),
    MAX_FIRST,
  );
}

describe('the first page asks for', () => {
  test.each<[args: string, variables: object, search: string, first: number, after: string | undefined]>([
    ['', {}, '', 500, undefined],
    ['(first: 20)', {}, '', 20, undefined],
    ['(first: 2000)', {}, '', 500, undefined],
    ['(first: $first)', {}, '', 500, undefined],
    ['(first: $first)', { first: null }, '', 500, undefined],
    ['(first: $first)', { first: 7 }, '', 7, undefined],
    ['(after: "a")', {}, '', 500, 'a'],
    ['(after: "a")', {}, 'after=b', 500, 'b'],
    ['(after: $after)', { after: 'c' }, 'after=', 500, 'c'],
    ['(where: { name: "x" })', {}, '', 10_000, undefined],
    ['(orderBy: [NAME], among: 50)', {}, '', 50, undefined],
    ['(orderBy: NAME, among: 50, first: 20)', {}, '', 20, undefined],
    ['(where: $where)', {}, '', 500, undefined],
    ['(where: null, orderBy: null)', {}, '', 500, undefined],
  ])('%s with %j and %j', (args, variables, search, first, after) => {
    expect(planOf(args, variables, search).firstPage()).toEqual({ first, after });
  });
});

describe('the page behind', () => {
  const pageWith = (info: object) => ({ data: { items: { nodes: [], __page: info } } });
  const more = pageWith({ hasNextPage: true, endCursor: 'z' });

  test('a page that more follow starts at its end', () => {
    expect(planOf('').nextPage(more, 500)).toEqual({ first: 500, after: 'z' });
    expect(planOf('(first: 700)').nextPage(more, 500)).toEqual({ first: 200, after: 'z' });
    expect(planOf('(where: { name: "x" })').nextPage(more, 10_000)).toEqual({ first: 10_000, after: 'z' });
  });

  test('the last, or one that failed, is none', () => {
    expect(planOf('(first: 500)').nextPage(more, 500)).toBeUndefined();
    expect(planOf('').nextPage(pageWith({ hasNextPage: false, endCursor: 'z' }), 500)).toBeUndefined();
    expect(planOf('').nextPage({ ...more, errors: [] }, 500)).toBeUndefined();
    expect(planOf('').nextPage({ data: { items: null } }, 0)).toBeUndefined();
  });
});

test('an operation has the arguments of its page, and all others as they are', () => {
  const plan = planOf('(among: 70, first: 5000, where: { name: "x" })');
  const operation = plan.operation({ first: 70, after: 'z' });
  const [list] = operation.root.fields;
  if (list === undefined) throw new Error('there is one');
  expect(operation.argumentsOf(list)).toEqual({ among: 70, where: { name: 'x' }, first: 70, after: 'z' });
  expect(list.objectPlans()[0]?.fields.map(({ key }) => key)).toEqual(['nodes', '__page', '__cursors']);
});

test('`totals` beside the rows is refused', () => {
  const document = parse('{ items { nodes { name } totals { name } } }');
  expect(() => createExportPlan({ schema, document }, readExportRequest('csv', ''), MAX_FIRST)).toThrow(
    '`items` has `totals` beside `nodes`',
  );
});
