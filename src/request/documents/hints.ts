import {
  type ASTNode,
  type ASTVisitor,
  GraphQLError,
  type GraphQLNamedInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
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
  truncate,
  withAdvice,
} from '../../execution/input-words.ts';
import { argumentHint, fieldHint } from './field-hints.ts';

const WHOLE_ANSWERS =
  'Answers are sent whole: leave it out, and ask for what is slow in an operation of its own.';
const DIRECTIVES = ['defer', 'stream'];
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
          if (!field || context.getDirective() || context.getArgument()) return;
          add(node, argumentHint(field, name));
        },
        leave,
      },
      Directive: (node) => add(node, DIRECTIVES.includes(node.name.value) ? WHOLE_ANSWERS : undefined),
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
    const message = place && literalMessage(place, first, error.message);
    if (message !== undefined) return new GraphQLError(message, { nodes, extensions });
    const plain = withoutLiterals(error);
    const text = nodes.map((node) => this.#byNode.get(node)).find(Boolean);
    return text === undefined
      ? plain
      : new GraphQLError(withAdvice(plain.message, text), { nodes, extensions });
  }
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

/** Removes the document's literals from a validation error: they may be secrets, and as long as the document. */
function withoutLiterals(error: GraphQLError): GraphQLError {
  const { nodes = [], extensions } = error;
  // The name of a variable is no value.
  const literals = nodes.filter((node) => isValueNode(node) && node.kind !== Kind.VARIABLE).map(print);
  const message = literals.reduce(withoutLiteral, error.message);
  return message === error.message ? error : new GraphQLError(message, { nodes, extensions });
}

function withoutLiteral(message: string, literal: string): string {
  // What graphql-js suggests are names of the schema.
  const [told = '', ...suggestions] = message.split(SUGGESTION);
  const redacted = told
    .replace(`: ${literal}`, '')
    .replace(`, found ${literal}`, '')
    .replace(`Value "${literal}"`, 'This value');
  const isSecret = literal.length > MIN_SECRET_LENGTH && redacted.includes(literal);
  return [isSecret ? 'A value is not of its type.' : redacted, ...suggestions].join(SUGGESTION);
}

const SUGGESTION = ' Did you mean ';

/** A shorter literal may also occur in the wording of the message. */
const MIN_SECRET_LENGTH = 3;

export function withoutStringToken(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ (String|BlockString) ".*"/s, ' $1');
  if (message === error.message) return error;
  return new GraphQLError(message, { source: error.source, positions: error.positions });
}
