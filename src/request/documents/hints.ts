import {
  type ASTNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isValueNode,
  Kind,
  type NameNode,
  type ValidationRule,
  type ValueNode,
} from 'graphql';
import {
  expectedValue,
  fieldAdvice,
  oneOfAdvice,
  orderAdvice,
  outerAdvice,
  withAdvice,
} from '../../execution/input-words.ts';

/** What to use, by the names that other services have for it. */
function hints(table: { readonly [names: string]: string }): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([names, hint]) => names.split(' ').map((name) => [name, hint])),
  );
}

const DIRECTIVES = hints({
  'defer stream':
    'Answers are sent whole: leave it out, and ask for what is slow in an operation of its own.',
});
const AGGREGATES = /^(?:aggregates?|sum|avg|min|max)$|Aggregate$/;
const LIST_FIELDS = hints({
  'totalCount count total totalItems totalResults': 'Use `totals { count }`.',
  'items results data rows records list content': 'The rows are in `nodes`.',
});
const LIST_ARGUMENTS = hints({
  'last before': 'Lists are read forward only: use `first` and `after`.',
  'offset skip page pageNumber cursor start from':
    'Lists are read with `first: …`, and the next page with `after: <endCursor of pageInfo>`.',
  'limit take top perPage pageSize size count': 'Use `first` to say how many rows.',
  'filter filters filterBy search query condition': 'Use `where: { … }` to filter.',
  'groupBy group groupBys': 'Use `groups(by: …) { … }` below the list.',
});
const ORDER_ARGUMENTS = ['orderBy', 'order', 'sort', 'sortBy', 'sorting', 'orderDirection', 'sortOrder'];
/** What the REST service has no list of, and where it occurs. */
const UNLISTED = hints({
  'invoices invoice':
    'The REST service lists no invoices. Their identifiers are in `declarationLines { nodes { invoiceIdentifier } }`.',
  'tasks task lastTask openTasks':
    'The REST service lists no tasks. The mutation `unmarkTaskCompleted` returns the task that it changes.',
  'messages message lastMessage':
    'The REST service lists no messages. The mutation `updateMessages` takes their ids.',
  'payments payment lastPayment':
    'The REST service lists no payments but those that were deleted: `deletedPayments`.',
});
const ADMINISTRATIONS = 'Those of your token: `viewer { administrations { internalId } }`.';
const UNLISTED_ON = ['Query', 'Viewer', 'Administration', 'Debtor', 'DebtorConnection'];
/** On types that have the field which the hint names. */
const OTHER_NAMES: { readonly [field: string]: ReadonlyMap<string, string> } = {
  primaryEmailAddress: hints({ 'email emailAddress mail': 'Use `primaryEmailAddress`.' }),
  bookOpenAmount: hints({
    'amount balance openAmount outstandingAmount amountDue openBalance debt': 'Use `bookOpenAmount`.',
  }),
  viewer: hints({ 'me self user currentUser whoami whoAmI myself': 'Use `viewer { … }`.' }),
};

/**
 * Not a check of its own: the rules after it report errors without literals, which may be secrets, and with what to use
 * in place of things that other GraphQL services have, which is better than a name that is only spelled alike.
 */
export const hintRule: ValidationRule = (context) => {
  /** The arguments and fields of inputs that the visitor is inside of. */
  const names: string[] = [];
  const leave = () => void names.pop();
  const named = { enter: ({ name }: { readonly name: NameNode }) => void names.push(name.value), leave };
  const report = context.reportError.bind(context);

  function messageOf({ message, nodes: [node] = [] }: GraphQLError): string {
    if (node && isValueNode(node)) {
      const type = getNamedType(context.getInputType());
      return type ? literalMessage(type, node, names.at(-1), message) : message;
    }
    if (/"administrationId" .*required/.test(message)) return withAdvice(message, ADMINISTRATIONS);
    return withAdvice(message, node && adviceOn(node));
  }

  function adviceOn(node: ASTNode): string | undefined {
    if (!('name' in node) || node.name === undefined) return undefined;
    const { value: name } = node.name;
    if (node.kind === Kind.DIRECTIVE) return DIRECTIVES.get(name);
    if (node.kind === Kind.FIELD) return fieldHint(context.getParentType(), name);
    if (node.kind === Kind.OBJECT_FIELD) return fieldAdvice(getNamedType(context.getParentInputType()), name);
    const field = node.kind === Kind.ARGUMENT && !context.getDirective() && context.getFieldDef();
    return field ? argumentHint(field, name) : undefined;
  }

  context.reportError = (error) => {
    const message = messageOf(error);
    const { nodes = [], extensions } = error;
    report(message === error.message ? error : new GraphQLError(message, { nodes, extensions }));
  };
  return {
    Argument: named,
    ObjectField: named,
    VariableDefinition: { enter: ({ variable }) => void names.push(`$${variable.name.value}`), leave },
  };
};

/** For an argument that the field does not have. */
function argumentHint({ args, type }: GraphQLField<unknown, unknown>, name: string): string | undefined {
  const typeOf = (argument: string) => getNamedType(args.find((one) => one.name === argument)?.type);
  const order = ORDER_ARGUMENTS.includes(name) ? orderAdvice(typeOf('orderBy')) : undefined;
  const known = isConnection(type) && (order ?? LIST_ARGUMENTS.get(name));
  if (known) return known;
  if (name === 'where' && typeOf('thenBy'))
    return 'Put `where` on the list: `groups` are of the records that it leaves.';
  return outerAdvice(args, name);
}

/** For a field that the type does not have. */
function fieldHint(type: GraphQLNamedType | null | undefined, name: string): string | undefined {
  if (!isObjectType(type)) return undefined;
  const fields = type.getFields();
  if (fields[name]) return undefined;
  if (isConnection(type)) {
    if (LIST_FIELDS.has(name)) return LIST_FIELDS.get(name);
    if (AGGREGATES.test(name)) return totalsHint(getNamedType(fields.totals?.type));
  }
  if (UNLISTED_ON.includes(type.name) && UNLISTED.has(name)) return UNLISTED.get(name);
  for (const [field, names] of Object.entries(OTHER_NAMES))
    if (fields[field] && names.has(name)) return names.get(name);
  if (fields.viewer && AGGREGATES.test(name)) return 'Use `totals { … }` below the list.';
  // What belongs below another field, which can be asked for without arguments.
  for (const field of Object.values(fields)) {
    const inner = getNamedType(field.type);
    if (!isObjectType(inner) || isConnection(inner) || field.args.some(isRequiredArgument)) continue;
    const found = inner.getFields()[name];
    if (!found) continue;
    const selection = isLeafType(getNamedType(found.type)) ? name : `${name} { … }`;
    return `Ask for it below \`${field.name}\`: \`${field.name} { ${selection} }\`.`;
  }
  return undefined;
}

function totalsHint(totals: GraphQLNamedType | undefined): string {
  const sums = isObjectType(totals) ? Object.values(totals.getFields()) : [];
  const summed = sums.find((field) => isObjectType(getNamedType(field.type)));
  return summed ? `Use \`totals { count ${summed.name} { sum } }\`.` : 'Use `totals { count }`.';
}

function isConnection(type: GraphQLOutputType): boolean {
  const named = getNamedType(type);
  return isObjectType(named) && named.getFields().pageInfo !== undefined;
}

/** For a literal that is not of its type. */
function literalMessage(
  type: GraphQLNamedType,
  node: ValueNode,
  name: string | undefined,
  reason: string,
): string {
  if (node.kind === Kind.VARIABLE || node.kind === Kind.NULL) return reason;
  if (node.kind === Kind.OBJECT && isInputObjectType(type)) return withAdvice(reason, oneOfAdvice(type));
  const written = node.kind === Kind.ENUM || node.kind === Kind.STRING ? node.value : undefined;
  const expected = expectedValue(type, reason, name, written) ?? `a value of type "${type}".`;
  const isQuoted = isEnumType(type) && node.kind === Kind.STRING && type.getValue(node.value);
  const isPair = isEnumType(type) && node.kind === Kind.LIST && name === 'by';
  const advice =
    (isQuoted && ' Write it without quotes.') || (isPair && ' Give a second one as `thenBy`.') || '';
  return `${name === undefined ? 'Expected' : `\`${name}\` takes`} ${expected}${advice}`;
}

/** The error of the parser without the text that it met. */
export function withoutStringToken(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ (String|BlockString) ".*"/s, ' $1');
  if (message === error.message) return error;
  return new GraphQLError(message, { source: error.source, positions: error.positions });
}
