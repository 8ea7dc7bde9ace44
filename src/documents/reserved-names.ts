import { type ASTVisitor, GraphQLError, type NameNode, type ValidationContext } from 'graphql';

/**
 * Assigning `__proto__` sets the prototype and creates no property, so whether a response contained it would depend on
 * how its object was created. GraphQL reserves names with two leading underscores, so no sensible document uses it.
 */
export function noProtoNames(context: ValidationContext): ASTVisitor {
  const check = (role: string, name: NameNode | undefined) => {
    if (name?.value !== '__proto__') return;
    context.reportError(new GraphQLError(`\`__proto__\` cannot be ${role}.`, { nodes: name }));
  };
  return {
    Field: ({ alias }) => check('an alias', alias),
    VariableDefinition: ({ variable }) => check('a variable', variable.name),
  };
}
