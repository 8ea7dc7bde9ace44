import {
  type DocumentNode,
  type ExecutionArgs,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { weakMemoize } from '../weak-memoize.ts';
import { FieldPlan, ObjectPlan } from './plan.ts';
import { cachedPlan, cachePlan, type Plans } from './plan-cache.ts';
import { coerceVariables, type Variables } from './variables.ts';

/** An operation, ready to be run: what does not depend on the request has been worked out. */
export interface PlannedOperation {
  readonly definition: OperationDefinitionNode;
  readonly root: ObjectPlan;
  readonly variables: Variables;
}

/** What is known of a document, for as long as the document itself is kept. */
interface DocumentPlans {
  readonly fragments: { readonly [name: string]: FragmentDefinitionNode };
  /** The variables that `@skip` and `@include` depend on: for each combination of them there is a plan. */
  readonly conditions: readonly string[];
  readonly plans: Plans;
}

const plansOf = weakMemoize(
  (document: DocumentNode): DocumentPlans => ({
    fragments: fragmentsOf(document),
    conditions: conditionsOf(document),
    plans: new Map(),
  }),
);

/** Plans an operation for its variables. Throws where there is no such operation, or where they do not fit. */
export function planOperation(args: ExecutionArgs): PlannedOperation {
  const { schema, document, operationName } = args;
  const definition = getOperationAST(document, operationName);
  if (!definition) throw new GraphQLError(whyNone(document, operationName), BAD_REQUEST);
  const variables = coerceVariables(schema, definition, args.variableValues ?? {});
  return { definition, root: rootPlan(schema, document, definition, variables), variables };
}

/** What is shown of names, which may be as long as a document. */
const MAX_NAME_LENGTH = 80;
const MAX_NAMES_LENGTH = 300;

function whyNone({ definitions }: DocumentNode, operationName: string | null | undefined): string {
  const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operations.length === 0) return 'The document has no operation.';
  const names = operations.flatMap(({ name }) => (name ? [name.value] : [])).join(', ');
  const shown = names.length > MAX_NAMES_LENGTH ? `${names.slice(0, MAX_NAMES_LENGTH)}…` : names;
  const has = `The document has ${shown || 'one operation without a name'}.`;
  if (operationName === undefined || operationName === null)
    return `Name the operation to run: \`operationName\`. ${has}`;
  return `There is no operation ${JSON.stringify(operationName.slice(0, MAX_NAME_LENGTH))}. ${has}`;
}

const BAD_REQUEST = { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } };

function rootPlan(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
  variables: PlannedOperation['variables'],
): ObjectPlan {
  const { fragments, conditions, plans } = plansOf(document);
  let key = definition.name?.value ?? '';
  for (const name of conditions) key += ` ${variables[name]}`;
  let root = cachedPlan(plans, key);
  if (root === undefined) {
    const type = schema.getRootType(definition.operation);
    if (!type) throw new GraphQLError(`There are no ${definition.operation}s.`, BAD_REQUEST);
    const variableValues = Object.fromEntries(conditions.map((name) => [name, variables[name]]));
    root = new ObjectPlan({ schema, fragments, variableValues }, type, [definition.selectionSet]);
    cachePlan(plans, key, root);
  }
  return root;
}

function fragmentsOf(document: DocumentNode): DocumentPlans['fragments'] {
  return Object.fromEntries(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  );
}

function conditionsOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive(node) {
      for (const { value } of node.arguments ?? []) {
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      }
    },
  });
  return [...names];
}

/** GraphQL's description of the field being resolved, with the plan that our own execution made of it. */
export interface PlannedInfo extends GraphQLResolveInfo {
  readonly plan: FieldPlan;
}

const plansOfOthers = new WeakMap<object, FieldPlan>();

/** The plan of the field being resolved; made here where another executor runs the schema. */
export function planOf(info: GraphQLResolveInfo | PlannedInfo): FieldPlan {
  if ('plan' in info) return info.plan;
  const { fieldNodes, parentType, fieldName, schema, fragments, variableValues } = info;
  let plan = plansOfOthers.get(fieldNodes);
  const field = parentType.getFields()[fieldName];
  if (plan === undefined && field) {
    plan = new FieldPlan(fieldName, field, parentType, [...fieldNodes], {
      schema,
      fragments,
      variableValues,
    });
    plansOfOthers.set(fieldNodes, plan);
  }
  if (plan === undefined) throw new Error(`There is no field ${parentType.name}.${fieldName}`);
  return plan;
}
