import {
  type ASTNode,
  type ASTVisitor,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  type ObjectFieldNode,
  type ValidationContext,
  type ValueNode,
} from 'graphql';

/** What other services call what is `totals { count }` here. */
const COUNTS = ['totalCount', 'count', 'total', 'totalItems', 'totalResults'];
/** And what is `nodes` here. */
const ROWS = ['items', 'results', 'data', 'rows', 'records', 'list', 'content'];

const FORWARD_ONLY = 'Lists are read forward only: use `first` and `after`.';
const NEXT_PAGE = 'Lists are read with `first: …`, and the next page with `after: <endCursor of pageInfo>`.';
const HOW_MANY = 'Use `first` to say how many rows.';
const FILTER = 'Use `where: { … }` to filter.';

/** By the name of an argument that lists of other services have. */
const LIST_ARGUMENTS = new Map([
  ...hint(['last', 'before'], FORWARD_ONLY),
  ...hint(['offset', 'skip', 'page', 'pageNumber', 'cursor', 'start', 'from'], NEXT_PAGE),
  ...hint(['limit', 'take', 'top', 'perPage', 'pageSize', 'size', 'count'], HOW_MANY),
  ...hint(['filter', 'filters', 'filterBy', 'search', 'query', 'condition'], FILTER),
]);
const ORDER_ARGUMENTS = ['orderBy', 'order', 'sort', 'sortBy', 'sorting', 'orderDirection', 'sortOrder'];

const WHOLE_ANSWERS =
  'Answers are sent whole: leave it out, and ask for what is slow in an operation of its own.';
const DIRECTIVES = new Map(hint(['defer', 'stream'], WHOLE_ANSWERS));

function hint(names: readonly string[], text: string): (readonly [string, string])[] {
  return names.map((name) => [name, text] as const);
}

/** What to use in place of things that other GraphQL services have, by the node that asks for one. */
export class Hints {
  readonly #byNode = new Map<ASTNode, string>();

  /** A validation rule that reports no errors. */
  readonly rule = (context: ValidationContext): ASTVisitor => {
    const add = (node: ASTNode, text: string | undefined) => {
      if (text !== undefined) this.#byNode.set(node, text);
    };
    const addOrder = (node: ValueNode) => {
      const type = getNamedType(context.getInputType());
      if (type) add(node, orderHint(type));
    };
    return {
      Field(node) {
        const parent = context.getParentType();
        if (parent && !context.getFieldDef()) add(node, fieldHint(parent, node.name.value));
      },
      Argument(node) {
        const field = context.getFieldDef();
        if (!field || context.getDirective() || context.getArgument()) return;
        const orderBy = field.args.find(({ name }) => name === 'orderBy');
        if (!isConnection(field.type)) return;
        if (orderBy && ORDER_ARGUMENTS.includes(node.name.value))
          add(node, orderHint(getNamedType(orderBy.type)));
        else add(node, LIST_ARGUMENTS.get(node.name.value));
      },
      Directive: (node) => add(node, DIRECTIVES.get(node.name.value)),
      ObjectField(node: ObjectFieldNode) {
        const parent = getNamedType(context.getParentInputType());
        if (parent && !context.getInputType()) add(node, orderHint(parent));
      },
      EnumValue: addOrder,
      StringValue: addOrder,
    };
  };

  /** The error with what to use instead, which is better than a name that is only spelled alike. */
  addTo(error: GraphQLError): GraphQLError {
    const { nodes = [], extensions } = error;
    const text = nodes.map((node) => this.#byNode.get(node)).find(Boolean);
    if (text === undefined) return error;
    const message = error.message.replace(/ Did you mean .*\?$/s, '');
    return new GraphQLError(`${message} ${text}`, { nodes, extensions });
  }
}

/** For a field that the type does not have. */
function fieldHint(type: GraphQLNamedType, name: string): string | undefined {
  if (!isObjectType(type) || !isConnection(type)) return undefined;
  const { nodes, totals } = type.getFields();
  if (totals && COUNTS.includes(name)) return 'Use `totals { count }`.';
  const row = nodes && getNamedType(nodes.type);
  if (!row || !isObjectType(row)) return undefined;
  if (row.getFields()[name]) return `Ask for it below \`nodes\`: \`nodes { ${name} }\`.`;
  return ROWS.includes(name) ? 'The rows are in `nodes`.' : undefined;
}

/** How an order is written, where the type is that of one. */
function orderHint(type: GraphQLNamedType): string | undefined {
  if (!isInputObjectType(type)) return undefined;
  const { field, direction } = type.getFields();
  const fields = field && getNamedType(field.type);
  if (!direction || !isEnumType(fields)) return undefined;
  const [example] = fields.getValues();
  return example && `Order by \`orderBy: [{ field: ${example.name}, direction: DESC }]\`.`;
}

function isConnection(type: GraphQLOutputType): boolean {
  const named = getNamedType(type);
  return isObjectType(named) && named.getFields().pageInfo !== undefined;
}
