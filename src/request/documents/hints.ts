import {
  type ASTNode,
  type ASTVisitor,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isValueNode,
  Kind,
  type ObjectFieldNode,
  type ObjectValueNode,
  print,
  type ValidationContext,
  type ValueNode,
} from 'graphql';
import {
  expectedValue,
  fieldAdvice,
  oneOfAdvice,
  orderAdvice,
  truncate,
  withAdvice,
} from '../../execution/input-words.ts';

/** What to use, by the names that other services have for it. */
function hints(table: { readonly [names: string]: string }): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([names, hint]) => names.split(' ').map((name) => [name, hint])),
  );
}

const WHOLE_ANSWERS =
  'Answers are sent whole: leave it out, and ask for what is slow in an operation of its own.';
const DIRECTIVES = hints({ 'defer stream': WHOLE_ANSWERS });
const COUNT = 'Use `totals { count }`.';
const AGGREGATES = /^(?:aggregates?|sum|avg|min|max)$|Aggregate$/;
const LIST_FIELDS = hints({
  'totalCount count total totalItems totalResults': COUNT,
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
const UNLISTED_ON = ['Query', 'Viewer', 'Administration', 'Debtor', 'DebtorConnection'];
/** On types that have the field which the hint names. */
const OTHER_NAMES: { readonly [field: string]: ReadonlyMap<string, string> } = {
  primaryEmailAddress: hints({ 'email emailAddress mail': 'Use `primaryEmailAddress`.' }),
  bookOpenAmount: hints({
    'amount balance openAmount outstandingAmount amountDue openBalance debt': 'Use `bookOpenAmount`.',
  }),
  viewer: hints({ 'me self user currentUser whoami whoAmI myself': 'Use `viewer { … }`.' }),
};

/** The name of a variable may be as long as the document. */
const MAX_NAME_LENGTH = 80;

interface Place {
  readonly type: GraphQLNamedInputType;
  readonly name: string | undefined;
}

/** What to use in place of things that other GraphQL services have, by the node that asks for one. */
export class Hints {
  readonly #byNode = new Map<ASTNode, string>();
  readonly #literals = new Map<ASTNode, Place>();

  /** A validation rule that reports no errors. */
  readonly rule = (context: ValidationContext): ASTVisitor => {
    /** The arguments and fields of inputs that the visitor is inside of. */
    const names: string[] = [];
    const leave = () => void names.pop();
    const add = (node: ASTNode, text: string | undefined) => {
      if (text !== undefined) this.#byNode.set(node, text);
    };
    const addLiteral = (node: ValueNode) => {
      const type = context.getInputType();
      if (type) this.#literals.set(node, { type: getNamedType(type), name: names.at(-1) });
    };
    return {
      Field(node) {
        const parent = context.getParentType();
        if (parent && !context.getFieldDef()) add(node, fieldHint(parent, node.name.value));
      },
      VariableDefinition: {
        enter: ({ variable }) => void names.push(truncate(`$${variable.name.value}`, MAX_NAME_LENGTH)),
        leave,
      },
      Argument: {
        enter(node) {
          const { value: name } = node.name;
          names.push(name);
          const field = context.getFieldDef();
          if (field && !context.getDirective() && !context.getArgument())
            add(node, argumentHint(field, name));
        },
        leave,
      },
      Directive: (node) => add(node, DIRECTIVES.get(node.name.value)),
      ObjectField: {
        enter(node: ObjectFieldNode) {
          const { value: name } = node.name;
          names.push(name);
          const parent = getNamedType(context.getParentInputType());
          if (isInputObjectType(parent) && !context.getInputType()) add(node, fieldAdvice(parent, name));
        },
        leave,
      },
      ObjectValue(node: ObjectValueNode) {
        const type = getNamedType(context.getInputType());
        if (isInputObjectType(type)) add(node, oneOfAdvice(type));
        else addLiteral(node);
      },
      ListValue: addLiteral,
      EnumValue: addLiteral,
      StringValue: addLiteral,
      IntValue: addLiteral,
      FloatValue: addLiteral,
      BooleanValue: addLiteral,
    };
  };

  /** The error without literals, and with what to use instead: better than a name that is only spelled alike. */
  addTo(error: GraphQLError): GraphQLError {
    const { nodes = [], extensions } = error;
    const [first] = nodes;
    const place = first && this.#literals.get(first);
    const advice = nodes.map((node) => this.#byNode.get(node)).find(Boolean);
    const message =
      (place && literalMessage(place, first, error.message)) ?? withAdvice(withoutLiterals(error), advice);
    return message === error.message ? error : new GraphQLError(message, { nodes, extensions });
  }
}

/** For an argument that the field does not have. */
function argumentHint({ args, type }: GraphQLField<unknown, unknown>, name: string): string | undefined {
  const typeOf = (argument: string) => getNamedType(args.find((one) => one.name === argument)?.type);
  const order = typeOf('orderBy');
  if (isConnection(type)) {
    if (isInputObjectType(order) && ORDER_ARGUMENTS.includes(name)) return orderAdvice(order);
    const known = LIST_ARGUMENTS.get(name);
    if (known !== undefined) return known;
  }
  if (name === 'where' && typeOf('thenBy'))
    return 'Put `where` on the list: `groups` are of the records that it leaves.';
  // What belongs into the object of another argument.
  for (const argument of args) {
    const outer = getNamedType(argument.type);
    const field = isInputObjectType(outer) && argument.name !== 'orderBy' && outer.getFields()[name];
    if (field)
      return `Write \`${argument.name}: { ${name}: ${isInputObjectType(getNamedType(field.type)) ? '{ … }' : '…'} }\`.`;
  }
  return undefined;
}

/** For a field that the type does not have. */
function fieldHint(type: GraphQLNamedType, name: string): string | undefined {
  if (!isObjectType(type)) return undefined;
  const fields = type.getFields();
  const known =
    (isConnection(type) && listHint(type, name)) ||
    (UNLISTED_ON.includes(type.name) && UNLISTED.get(name)) ||
    Object.entries(OTHER_NAMES)
      .map(([field, names]) => fields[field] && names.get(name))
      .find(Boolean);
  if (known) return known;
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

/** For a field that a list does not have. */
function listHint(type: GraphQLObjectType, name: string): string | undefined {
  const { nodes, totals } = type.getFields();
  const row = nodes && getNamedType(nodes.type);
  const known = LIST_FIELDS.get(name);
  if (known === COUNT && totals) return known;
  if (isObjectType(row) && row.getFields()[name]) return `Ask for it below \`nodes\`: \`nodes { ${name} }\`.`;
  if (!totals || !AGGREGATES.test(name)) return known === COUNT ? undefined : known;
  const totalsType = getNamedType(totals.type);
  const sums = isObjectType(totalsType) ? Object.values(totalsType.getFields()) : [];
  const summed = sums.find((field) => isObjectType(getNamedType(field.type)));
  return summed ? `Use \`totals { count ${summed.name} { sum } }\`.` : COUNT;
}

function isConnection(type: GraphQLOutputType): boolean {
  const named = getNamedType(type);
  return isObjectType(named) && named.getFields().pageInfo !== undefined;
}

function literalMessage({ type, name }: Place, node: ASTNode, reason: string): string | undefined {
  const written = node.kind === Kind.ENUM || node.kind === Kind.STRING ? node.value : undefined;
  const expected = expectedValue(type, reason, name, written);
  if (expected === undefined) return undefined;
  const isQuoted = isEnumType(type) && node.kind === Kind.STRING && type.getValue(node.value);
  const isPair = isEnumType(type) && node.kind === Kind.LIST && name === 'by';
  const advice = (isQuoted && ' Write it without quotes.') || (isPair && ' Give a second one as `thenBy`.');
  const text = expected + (advice || '');
  return name === undefined ? `Expected ${text}` : `\`${name}\` takes ${text}`;
}

const SUGGESTION = ' Did you mean ';
/** A shorter literal may also occur in the wording of the message. */
const MIN_SECRET_LENGTH = 3;

/** The message without the document's literals: they may be secrets, and as long as the document. */
function withoutLiterals({ nodes = [], message }: GraphQLError): string {
  // The name of a variable is no value.
  const literals = nodes.filter((node) => isValueNode(node) && node.kind !== Kind.VARIABLE).map(print);
  return literals.reduce((text, literal) => {
    // What graphql-js suggests are names of the schema.
    const [told = '', ...suggestions] = text.split(SUGGESTION);
    const redacted = told
      .replace(`: ${literal}`, '')
      .replace(`, found ${literal}`, '')
      .replace(`Value "${literal}"`, 'This value');
    const isSecret = literal.length > MIN_SECRET_LENGTH && redacted.includes(literal);
    return [isSecret ? 'A value is not of its type.' : redacted, ...suggestions].join(SUGGESTION);
  }, message);
}

/** The error of the parser without the text that it met. */
export function withoutStringToken(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ (String|BlockString) ".*"/s, ' $1');
  if (message === error.message) return error;
  return new GraphQLError(message, { source: error.source, positions: error.positions });
}
