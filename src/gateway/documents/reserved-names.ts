import { type ASTVisitor, GraphQLError, type NameNode, type ValidationContext } from 'graphql';

/**
 * `__proto__` is no key like others: assigned, it becomes no property, so that an answer would lack it or not, by how it
 * was made. GraphQL keeps names with two underscores for itself, so nothing sensible is lost.
 */
export function noProtoNames(context: ValidationContext): ASTVisitor {
  const refuse = (what: string, name: NameNode | undefined) => {
    if (name?.value !== '__proto__') return;
    context.reportError(new GraphQLError(`\`__proto__\` cannot be ${what}.`, { nodes: name }));
  };
  return {
    Field: ({ alias }) => refuse('an alias', alias),
    VariableDefinition: ({ variable }) => refuse('a variable', variable.name),
  };
}
