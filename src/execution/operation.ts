import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLResolveInfo,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type ResponsePath,
} from 'graphql';
import { getOrCreate } from '../memoize.ts';
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
  readonly #arguments: Map<FieldPlan, Arguments>;

  /** `given`: arguments of a field, in place of those in the document. */
  constructor(
    definition: OperationDefinitionNode,
    root: ObjectPlan,
    variables: Variables,
    given?: { readonly plan: FieldPlan; readonly args: Arguments },
  ) {
    this.definition = definition;
    this.root = root;
    this.variables = variables;
    this.#arguments = new Map(given && [[given.plan, given.args]]);
  }

  withArguments(plan: FieldPlan, args: Arguments): PlannedOperation {
    return new PlannedOperation(this.definition, this.root, this.variables, { plan, args });
  }

  /** Computed once for the estimate and the execution; throws if they are invalid. */
  argumentsOf(plan: FieldPlan): Arguments {
    return getOrCreate(this.#arguments, plan, () => plan.argumentsWith(this.variables));
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
  // Those that `@skip` and `@include` may use: there is a plan for each combination of their values.
  const conditions = Object.entries(variables).filter(([, value]) => typeof value === 'boolean');
  const root = cachedPlan(document, definition, conditions.join(), () => {
    const type = schema.getRootType(definition.operation);
    if (!type) throw new GraphQLError(`There are no ${definition.operation}s.`, BAD_REQUEST);
    const variableValues = Object.fromEntries(conditions);
    const fragments = Object.fromEntries(
      document.definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
      ),
    );
    return new ObjectPlan({ schema, fragments, variableValues }, type, [definition.selectionSet]);
  });
  return new PlannedOperation(definition, root, variables);
}

function missingOperationMessage({ definitions }: DocumentNode, name: string | null | undefined): string {
  const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operations.length === 0) return 'The document has no operation.';
  // Names may be as long as the document.
  const names = truncate(operations.flatMap((node) => node.name?.value ?? []).join(', '), 300);
  const problem =
    name === undefined || name === null
      ? 'Name the operation to run: `operationName`.'
      : `There is no operation ${JSON.stringify(name.slice(0, 80))}.`;
  return `${problem} The document has ${names || 'one operation without a name'}.`;
}

const BAD_REQUEST = { extensions: { code: 'BAD_REQUEST' } };

/** The resolve info that this executor passes to resolvers: it includes the plan of the field. */
export interface PlannedInfo extends GraphQLResolveInfo {
  readonly run: { report(plan: FieldPlan, error: Error, path: ResponsePath): void };
  readonly plan: FieldPlan;
}

/** Adds an error beside the value of a field, where null would lose the rest. In another executor the field fails. */
export function reportFieldError(info: GraphQLResolveInfo | PlannedInfo, error: Error): void {
  if (!('run' in info)) throw error;
  info.run.report(info.plan, error, info.path);
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
