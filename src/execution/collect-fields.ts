import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  Kind,
  type SelectionNode,
} from 'graphql';
import { toVariableValues } from '../graphql-version.ts';
import { getOrCreate } from '../memoize.ts';
import type { Variables } from './variables.ts';

/** The input of collecting fields; `variables` are those that `@skip` and `@include` use. */
export interface PlanContext extends Pick<GraphQLResolveInfo, 'schema' | 'fragments'> {
  readonly variables: Variables;
}

/** Implements CollectFields of the specification. */
export function collectFields(
  planContext: PlanContext,
  type: GraphQLObjectType,
  selections: readonly SelectionNode[],
  fields = new Map<string, FieldNode[]>(),
  visited = new Set<object>(),
): Map<string, FieldNode[]> {
  const { schema, fragments } = planContext;
  for (const node of selections) {
    if (!shouldInclude(node, planContext)) continue;
    if (node.kind === Kind.FIELD) {
      getOrCreate(fields, (node.alias ?? node.name).value, () => []).push(node);
      continue;
    }
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value] : node;
    if (!fragment || visited.has(fragment)) continue;
    visited.add(fragment);
    const name = fragment.typeCondition?.name.value ?? type.name;
    const condition = schema.getType(name);
    if (name === type.name || (isAbstractType(condition) && schema.isSubType(condition, type)))
      collectFields(planContext, type, fragment.selectionSet.selections, fields, visited);
  }
  return fields;
}

function shouldInclude(node: SelectionNode, { variables }: PlanContext): boolean {
  const values = toVariableValues(variables);
  const skip = getDirectiveValues(GraphQLSkipDirective, node, values);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, values);
  return skip?.if !== true && include?.if !== false;
}
