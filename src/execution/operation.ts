import {
  type DocumentNode,
  type ExecutionArgs,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLResolveInfo,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { getOrCreate, weakMemoize } from '../memoize.ts';
import type { Arguments } from './arguments.ts';
import { truncate } from './input-words.ts';
import { FieldPlan, ObjectPlan } from './plan.ts';
import { cachedPlan } from './plan-cache.ts';
import { coerceVariables, type Variables } from './variables.ts';

/** An operation that is ready to be executed: a cached plan and the coerced variables of one request. */
export class PlannedOperation {
  readonly definition: OperationDefinitionNode;
  readonly root: ObjectPlan;
  readonly variables: Variables;
  readonly #given: { readonly plan: FieldPlan; readonly args: Arguments } | undefined;
  readonly #arguments = new Map<FieldPlan, Arguments | GraphQLError>();

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

export function operationOf(document: DocumentNode, operationName?: string | null): OperationDefinitionNode {
  const definition = getOperationAST(document, operationName);
  if (definition) return definition;
  throw new GraphQLError(missingOperationMessage(document, operationName), BAD_REQUEST);
}

/** Throws if the document has no such operation, or if the variables are invalid. */
export function planOperation(args: ExecutionArgs): PlannedOperation {
  const { schema, document, operationName } = args;
  const definition = operationOf(document, operationName);
  const variables = coerceVariables(schema, definition, args.variableValues ?? {});
  const conditions = conditionVariables(definition);
  const key = conditions.map((name) => conditionKey(variables[name])).join('');
  const root = cachedPlan(document, definition, key, () => {
    const type = schema.getRootType(definition.operation);
    if (!type) throw new GraphQLError(`There are no ${definition.operation}s.`, BAD_REQUEST);
    const variableValues = Object.fromEntries(conditions.map((name) => [name, variables[name]]));
    const operation = { schema, fragments: fragmentsOf(document), variableValues };
    return new ObjectPlan(operation, type, [definition.selectionSet]);
  });
  return new PlannedOperation(definition, root, variables);
}

/** Those that `@skip` and `@include` may use: there is a plan for each combination of their values. */
const conditionVariables = weakMemoize(({ variableDefinitions = [] }: OperationDefinitionNode) =>
  variableDefinitions.flatMap(({ type, variable }) => {
    const nullable = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    const isBoolean = nullable.kind === Kind.NAMED_TYPE && nullable.name.value === 'Boolean';
    return isBoolean ? [variable.name.value] : [];
  }),
);

/** One character for each kind of value that conditions distinguish, so that several in a row are unambiguous. */
function conditionKey(value: unknown): string {
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return value === null ? 'n' : 'u';
}

function fragmentsOf({ definitions }: DocumentNode): { [name: string]: FragmentDefinitionNode } {
  return Object.fromEntries(
    definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
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
