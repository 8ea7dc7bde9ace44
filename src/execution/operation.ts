import { randomUUID } from 'node:crypto';
import {
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { compositeKey } from '../composite-key.ts';
import { toVariableValues } from '../graphql-version.ts';
import { weakMemoize } from '../memoize.ts';
import type { PlanContext } from './collect-fields.ts';
import { type FieldPlan, ObjectPlan } from './plan.ts';
import { coerceVariables, type Variables } from './variables.ts';

/** An operation to execute: its cached plan, and the coerced variables of one request. */
export class PlannedOperation {
  readonly variableValues: GraphQLResolveInfo['variableValues'];

  constructor(
    readonly definition: OperationDefinitionNode,
    readonly root: ObjectPlan,
    readonly variables: Variables,
    /** Replaces the arguments of one field in the document. */
    private readonly argumentOverride?: { readonly node: FieldNode | undefined; readonly args: Variables },
  ) {
    this.variableValues = toVariableValues(variables);
  }

  withArguments(plan: FieldPlan, args: Variables): PlannedOperation {
    return new PlannedOperation(this.definition, this.root, this.variables, { node: plan.nodes[0], args });
  }

  /** Plans the operation for another schema, without the fields that this schema lacks. */
  planFor(schema: GraphQLSchema): PlannedOperation {
    const { definition, root, variables, argumentOverride } = this;
    const [field] = root.fields;
    const type = schema.getRootType(definition.operation);
    if (!field || !type || field.planContext.schema === schema) return this;
    const otherRoot = new ObjectPlan({ ...field.planContext, schema }, type, [definition]);
    return new PlannedOperation(definition, otherRoot, variables, argumentOverride);
  }

  getArguments(plan: FieldPlan): Variables {
    // Compared by node, which the plans of one document for several schemas share.
    if (this.argumentOverride && this.argumentOverride.node === plan.nodes[0])
      return this.argumentOverride.args;
    return plan.coerceArguments(this.variables);
  }
}

/** Throws if the document has no such operation. */
export function getOperation(document: DocumentNode, operationName?: string | null): OperationDefinitionNode {
  const definition = getOperationAST(document, operationName);
  if (definition) return definition;
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const names = operations.flatMap(({ name }) => name?.value ?? []);
  const problem = operationName
    ? `There is no operation ${JSON.stringify(operationName)}.`
    : 'Name the operation to run: `operationName`.';
  const message =
    operations.length > 0
      ? `${problem} The document has ${names.join(', ') || 'one operation without a name'}.`
      : 'The document has no operation.';
  throw new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });
}

/** Plans of all documents, limited by bytes, since a plan keeps its document in memory. */
export const planCache = new LRUCache<OperationDefinitionNode | string, ObjectPlan>({ maxSize: 16_000_000 });

/** Throws if the document has no such operation, or if the variables are invalid. */
export function planOperation(args: ExecutionArgs): PlannedOperation {
  const { schema, document, operationName } = args;
  const definition = getOperation(document, operationName);
  const variables = coerceVariables(schema, definition, args.variableValues ?? {});
  // `@skip` and `@include` may use any Boolean variable, so each combination of their values has a plan.
  const conditions = Object.entries(variables).filter(([, value]) => typeof value === 'boolean');
  const key =
    conditions.length > 0 ? compositeKey(getDefinitionId(definition), conditions.join()) : definition;
  const type = schema.getRootType(definition.operation);
  if (!type) throw new TypeError(`The schema has no ${definition.operation}s`);
  let root = planCache.get(key);
  // A plugin may use the same document with another schema.
  if (root?.type !== type) {
    const variables = Object.fromEntries(conditions);
    const operation = { schema, fragments: getFragments(document), variables };
    root = new ObjectPlan(operation, type, [definition]);
    planCache.set(key, root, { size: estimateDocumentBytes(document) + root.bytes });
  }
  return new PlannedOperation(definition, root, variables);
}

const getDefinitionId = weakMemoize((_definition: OperationDefinitionNode) => randomUUID());

function getFragments({ definitions }: DocumentNode): PlanContext['fragments'] {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((node) => [node.name.value, node]));
}

/** The bytes of a token with its nodes: measured at 90 to 500, the most for a field without arguments. */
const TOKEN_BYTES = 500;

/** Estimates the bytes of a parsed document, with the comments that its list of tokens holds. */
export function estimateDocumentBytes({ loc }: DocumentNode): number {
  let bytes = 1_000 + 2 * (loc?.source.body.length ?? 0);
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) bytes += TOKEN_BYTES;
  return bytes;
}
