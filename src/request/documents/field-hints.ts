import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { orderAdvice } from '../../execution/input-words.ts';

/** What other services call what is `totals { count }` here. */
const COUNTS = ['totalCount', 'count', 'total', 'totalItems', 'totalResults'];
/** And what is `nodes` here. */
const ROWS = ['items', 'results', 'data', 'rows', 'records', 'list', 'content'];

const COUNT = 'Use `totals { count }`.';
const FORWARD_ONLY = 'Lists are read forward only: use `first` and `after`.';
const NEXT_PAGE = 'Lists are read with `first: …`, and the next page with `after: <endCursor of pageInfo>`.';
const HOW_MANY = 'Use `first` to say how many rows.';
const FILTER = 'Use `where: { … }` to filter.';
const GROUPS = 'Use `groups(by: …) { … }` below the list.';

/** By the name of an argument that lists of other services have. */
const LIST_ARGUMENTS = new Map([
  ...hint(['last', 'before'], FORWARD_ONLY),
  ...hint(['offset', 'skip', 'page', 'pageNumber', 'cursor', 'start', 'from'], NEXT_PAGE),
  ...hint(['limit', 'take', 'top', 'perPage', 'pageSize', 'size', 'count'], HOW_MANY),
  ...hint(['filter', 'filters', 'filterBy', 'search', 'query', 'condition'], FILTER),
  ...hint(['groupBy', 'group', 'groupBys'], GROUPS),
]);
const ORDER_ARGUMENTS = ['orderBy', 'order', 'sort', 'sortBy', 'sorting', 'orderDirection', 'sortOrder'];

/** What the REST service has no list of, and where it occurs. */
const UNLISTED = new Map([
  ...hint(
    ['invoices', 'invoice'],
    'The REST service lists no invoices. Their identifiers are in `declarationLines { nodes { invoiceIdentifier } }`.',
  ),
  ...hint(
    ['tasks', 'task', 'lastTask', 'openTasks'],
    'The REST service lists no tasks. The mutation `unmarkTaskCompleted` returns the task that it changes.',
  ),
  ...hint(
    ['messages', 'message', 'lastMessage'],
    'The REST service lists no messages. The mutation `updateMessages` takes their ids.',
  ),
  ...hint(
    ['payments', 'payment', 'lastPayment'],
    'The REST service lists no payments but those that were deleted: `deletedPayments`.',
  ),
]);
const EMAILS = ['email', 'emailAddress', 'mail'];
const OPEN_AMOUNTS = [
  'amount',
  'balance',
  'openAmount',
  'outstandingAmount',
  'amountDue',
  'openBalance',
  'debt',
];
const UNLISTED_ON = ['Query', 'Viewer', 'Administration', 'Debtor', 'DebtorConnection'];
const VIEWERS = ['me', 'self', 'user', 'currentUser', 'whoami', 'whoAmI', 'myself'];
const AGGREGATES = /^(?:aggregates?|sum|avg|min|max)$|Aggregate$/;

function hint(names: readonly string[], text: string): (readonly [string, string])[] {
  return names.map((name) => [name, text] as const);
}

/** For an argument that the field does not have. */
export function argumentHint(
  { args, type }: GraphQLField<unknown, unknown>,
  name: string,
): string | undefined {
  const isList = isConnection(type);
  const orderBy = args.find((argument) => argument.name === 'orderBy');
  const order = orderBy && getNamedType(orderBy.type);
  if (isList && isInputObjectType(order) && ORDER_ARGUMENTS.includes(name)) return orderAdvice(order);
  const isOfList = name === 'where' && args.some((argument) => argument.name === 'thenBy');
  if (isOfList) return 'Put `where` on the list: `groups` are of the records that it leaves.';
  const known = isList ? LIST_ARGUMENTS.get(name) : undefined;
  return known ?? innerHint(args, name);
}

/** For what belongs into the object of another argument. */
function innerHint(args: readonly GraphQLArgument[], name: string): string | undefined {
  for (const argument of args) {
    const type = getNamedType(argument.type);
    const field = isInputObjectType(type) && type.getFields()[name];
    if (!field || argument.name === 'orderBy') continue;
    const inner = getNamedType(field.type);
    const value = isInputObjectType(inner) ? '{ … }' : '…';
    return `Write \`${argument.name}: { ${name}: ${value} }\`.`;
  }
  return undefined;
}

/** For a field that the type does not have. */
export function fieldHint(type: GraphQLNamedType, name: string): string | undefined {
  if (!isObjectType(type)) return undefined;
  const known = (isConnection(type) && listHint(type, name)) || undefined;
  if (known !== undefined) return known;
  const unlisted = UNLISTED_ON.includes(type.name) ? UNLISTED.get(name) : undefined;
  if (unlisted !== undefined) return unlisted;
  const { viewer, primaryEmailAddress, bookOpenAmount } = type.getFields();
  if (primaryEmailAddress && EMAILS.includes(name)) return 'Use `primaryEmailAddress`.';
  if (bookOpenAmount && OPEN_AMOUNTS.includes(name)) return 'Use `bookOpenAmount`.';
  if (viewer && VIEWERS.includes(name)) return 'Use `viewer { … }`.';
  if (viewer && AGGREGATES.test(name)) return 'Use `totals { … }` below the list.';
  return innerFieldHint(type, name);
}

/** For a field that a list does not have. */
function listHint(type: GraphQLObjectType, name: string): string | undefined {
  const { nodes, totals } = type.getFields();
  if (totals && COUNTS.includes(name)) return COUNT;
  const row = nodes && getNamedType(nodes.type);
  if (!row || !isObjectType(row)) return undefined;
  if (row.getFields()[name]) return `Ask for it below \`nodes\`: \`nodes { ${name} }\`.`;
  if (totals && AGGREGATES.test(name)) return totalsHint(getNamedType(totals.type));
  return ROWS.includes(name) ? 'The rows are in `nodes`.' : undefined;
}

function totalsHint(totals: GraphQLNamedType): string {
  const fields = isObjectType(totals) ? Object.values(totals.getFields()) : [];
  const summed = fields.find(({ type }) => isObjectType(getNamedType(type)));
  return summed ? `Use \`totals { count ${summed.name} { sum } }\`.` : COUNT;
}

/** For what belongs below another field, which can be asked for without arguments. */
function innerFieldHint(type: GraphQLObjectType, name: string): string | undefined {
  for (const field of Object.values(type.getFields())) {
    const inner = getNamedType(field.type);
    if (!isObjectType(inner) || isConnection(inner) || field.args.some(isRequiredArgument)) continue;
    const found = inner.getFields()[name];
    if (!found) continue;
    const selection = isLeafType(getNamedType(found.type)) ? name : `${name} { … }`;
    return `Ask for it below \`${field.name}\`: \`${field.name} { ${selection} }\`.`;
  }
  return undefined;
}

function isConnection(type: GraphQLOutputType): boolean {
  const named = getNamedType(type);
  return isObjectType(named) && named.getFields().pageInfo !== undefined;
}
