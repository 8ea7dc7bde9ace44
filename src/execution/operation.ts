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
import type { Holding } from '../limits/shared-budget.ts';
import { getOrCreate, weakMemoize } from '../memoize.ts';
import type { Arguments } from './arguments.ts';
import { truncate } from './input-words.ts';
import { FieldPlan, ObjectPlan } from './plan.ts';
import { cachedPlan, cachePlan, type Plans, planPart } from './plan-cache.ts';
import { coerceVariables, type Variables } from './variables.ts';

/** An operation that is ready to be executed: a cached plan and the coerced variables of one request. */
export class PlannedOperation {
  readonly definition: OperationDefinitionNode;
  readonly root: ObjectPlan;
  readonly variables: Variables;
  readonly #given: { readonly plan: FieldPlan; readonly args: Arguments } | undefined;
  #arguments: Map<FieldPlan, Arguments | GraphQLError> | undefined;

  /** `given`: arguments of one field, in place of those in the document. */
  constructor(
    definition: OperationDefinitionNode,
    root: ObjectPlan,
    variables: Variables,
    given?: { readonly plan: FieldPlan; readonly args: Arguments },
  ) {
    this.definition = definition;
    this.root = root;
    this.variables = variables;
    this.#given = given;
  }

  withArguments(plan: FieldPlan, args: Arguments): PlannedOperation {
    return new PlannedOperation(this.definition, this.root, this.variables, { plan, args });
  }

  /** Computed once for the estimate and the execution; throws if they are invalid. */
  argumentsOf(plan: FieldPlan): Arguments {
    if (this.#given?.plan === plan) return this.#given.args;
    if (plan.hasConstantArguments) return plan.argumentsWith(this.variables);
    this.#arguments ??= new Map();
    const args = getOrCreate(this.#arguments, plan, () => this.#argumentsOrError(plan));
    if (args instanceof GraphQLError) throw args;
    return args;
  }

  /** An error is remembered too: a field may be asked for in each of ten thousand rows. */
  #argumentsOrError(plan: FieldPlan): Arguments | GraphQLError {
    try {
      return plan.argumentsWith(this.variables);
    } catch (error) {
      if (error instanceof GraphQLError) return error;
      throw error;
    }
  }
}

type Fragments = { readonly [name: string]: FragmentDefinitionNode };

/** What is computed once per operation of a document, and garbage collected with the document. */
const plansIn = weakMemoize((document: DocumentNode) => {
  const fragments = fragmentsOf(document);
  return weakMemoize((definition: OperationDefinitionNode) => {
    /** The variables that its `@skip` and `@include` use; there is a plan for each combination of their values. */
    const conditionVariables = conditionVariablesOf(definition, fragments);
    const plans: Plans = new Map();
    return { fragments, conditionVariables, plans };
  });
});

export function operationOf(document: DocumentNode, operationName?: string | null): OperationDefinitionNode {
  const definition = getOperationAST(document, operationName);
  if (definition) return definition;
  throw new GraphQLError(missingOperationMessage(document, operationName), BAD_REQUEST);
}

/** Throws if the document has no such operation, or if the variables are invalid. `holding` counts what it keeps. */
export function planOperation(args: ExecutionArgs, holding?: Pick<Holding, 'share'>): PlannedOperation {
  const { schema, document, operationName } = args;
  const definition = operationOf(document, operationName);
  const variables = coerceVariables(schema, definition, args.variableValues ?? {});
  const root = rootPlan(schema, document, definition, variables);
  holding?.share(planPart(root));
  return new PlannedOperation(definition, root, variables);
}

/** Names in messages are truncated, since they may be as long as a document. */
const MAX_NAME_LENGTH = 80;
const MAX_NAMES_LENGTH = 300;

function missingOperationMessage(
  { definitions }: DocumentNode,
  operationName: string | null | undefined,
): string {
  const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operations.length === 0) return 'The document has no operation.';
  const names = operations.flatMap(({ name }) => (name ? [name.value] : [])).join(', ');
  const available = `The document has ${truncate(names, MAX_NAMES_LENGTH) || 'one operation without a name'}.`;
  if (operationName === undefined || operationName === null)
    return `Name the operation to run: \`operationName\`. ${available}`;
  return `There is no operation ${JSON.stringify(operationName.slice(0, MAX_NAME_LENGTH))}. ${available}`;
}

const BAD_REQUEST = { extensions: { code: 'BAD_REQUEST' } };

function rootPlan(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
  variables: PlannedOperation['variables'],
): ObjectPlan {
  const { fragments, conditionVariables, plans } = plansIn(document)(definition);
  let key = '';
  for (const name of conditionVariables) key += conditionKey(variables[name]);
  let root = cachedPlan(plans, key);
  if (root === undefined) {
    const type = schema.getRootType(definition.operation);
    if (!type) throw new GraphQLError(`There are no ${definition.operation}s.`, BAD_REQUEST);
    const variableValues = Object.fromEntries(conditionVariables.map((name) => [name, variables[name]]));
    root = new ObjectPlan({ schema, fragments, variableValues }, type, [definition.selectionSet]);
    cachePlan(plans, key, root);
  }
  return root;
}

/** One character for each kind of value that conditions distinguish, so that several in a row are unambiguous. */
function conditionKey(value: unknown): string {
  if (value === true) return 't';
  if (value === false) return 'f';
  if (value === undefined) return 'u';
  return value === null ? 'n' : '-';
}

function fragmentsOf(document: DocumentNode): Fragments {
  return Object.fromEntries(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  );
}

/** Not of the whole document: in another of its operations, a variable of the same name may be a text. */
function conditionVariablesOf(definition: OperationDefinitionNode, fragments: Fragments): string[] {
  const names = new Set<string>();
  const used = new Set<OperationDefinitionNode | FragmentDefinitionNode>([definition]);
  // A Set is iterated over what is added meanwhile.
  for (const node of used) {
    visit(node.selectionSet, {
      Directive({ arguments: args = [] }) {
        for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      },
      FragmentSpread({ name }) {
        const fragment = fragments[name.value];
        if (fragment) used.add(fragment);
      },
    });
  }
  return [...names];
}

/** The resolve info that this executor passes to resolvers: it includes the plan of the field. */
export interface PlannedInfo extends GraphQLResolveInfo {
  readonly plan: FieldPlan;
  reportError(error: Error): void;
}

/** Adds an error beside the value of a field, where null would lose the rest. In another executor the field fails. */
export function reportFieldError(info: GraphQLResolveInfo | PlannedInfo, error: Error): void {
  if (!('reportError' in info)) throw error;
  info.reportError(error);
}

/** Plans of fields that another executor resolves. */
const foreignPlans = new WeakMap<object, FieldPlan>();

/** The plan of the field being resolved; created here if another executor, such as graphql-js, runs the schema. */
export function planOf(info: GraphQLResolveInfo | PlannedInfo): FieldPlan {
  if ('plan' in info) return info.plan;
  const { fieldNodes, parentType, fieldName } = info;
  const field = parentType.getFields()[fieldName];
  if (field === undefined) throw new Error(`There is no field ${parentType.name}.${fieldName}`);
  return getOrCreate(
    foreignPlans,
    fieldNodes,
    () => new FieldPlan(fieldName, field, parentType, [...fieldNodes], info),
  );
}
