import type { Ask } from './generate.ts';
import { enumName, type Field, type ListSpec } from './lists.ts';

export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** One operation for all that is asked, each under a name of its own: `a0`. */
export function operationOf(spec: ListSpec, asks: readonly Ask[], after?: string): Operation {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const fields = asks.map((ask, index) => {
    const given = argumentsOf(spec, ask, after).map(([name, type, value]) => {
      variables[`${name}${index}`] = value;
      declared.push(`$${name}${index}: ${type}`);
      return `${name}: $${name}${index}`;
    });
    const args = ['administrationId: "1001"', ...given].join(', ');
    return `a${index}: ${spec.name}(${args}) { ${getSelection(ask)} }`;
  });
  const head = declared.length === 0 ? '' : `(${declared.join(', ')})`;
  return { query: `query${head} { ${fields.join(' ')} }`, variables };
}

function argumentsOf(
  { type }: ListSpec,
  ask: Ask,
  after?: string,
): [name: string, type: string, value: unknown][] {
  const orderBy = ask.orderBy.map(({ by, direction }) => ({ field: by.name, direction }));
  const given: [string, string, unknown][] = [
    ['where', `${type}Where`, ask.where],
    ['orderBy', `[${type}Order!]`, orderBy.length > 0 ? orderBy : undefined],
    ['first', 'Int', ask.first],
    ['after', 'String', after],
  ];
  return given.filter(([, , value]) => value !== undefined);
}

function getSelection({ page, select, totals, groups }: Ask): string {
  const node = ['id internalId', ...select.map(({ name }) => name)].join(' ');
  return [
    page === 'edges' &&
      `edges { cursor node { ${node} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`,
    page === 'nodes' && `nodes { ${node} }`,
    page === 'pageInfo' && 'pageInfo { hasNextPage hasPreviousPage }',
    totals && totalsSelection(totals),
    ...groups.map(
      (group, index) =>
        `g${index}: groups(${groupArguments(group).join(', ')}) { key thenKey ${totalsSelection(group.totals)} }`,
    ),
  ]
    .filter((part) => typeof part === 'string')
    .join(' ');
}

function groupArguments({ by, thenBy, orderBy, first }: Ask['groups'][number]): string[] {
  const terms = orderBy.map(({ what, direction }) => {
    const field = typeof what === 'string' ? what : `${enumName(what.name)}_SUM`;
    return `{ field: ${field}, direction: ${direction} }`;
  });
  return [
    `by: ${by.name}`,
    ...(thenBy ? [`thenBy: ${thenBy.name}`] : []),
    ...(terms.length > 0 ? [`orderBy: [${terms.join(', ')}]`] : []),
    ...(first === undefined ? [] : [`first: ${first}`]),
  ];
}

function totalsSelection(fields: readonly Field[]): string {
  const summed = fields.map(({ name }) => `${name} { sum average min max count }`);
  return `totals { ${['count', 'isComplete', ...summed].join(' ')} }`;
}
