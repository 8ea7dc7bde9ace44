import { readFileSync } from 'node:fs';
import * as graphql from 'graphql';
import { administrations, deletions, keys } from './keys.mjs';

const { getNamedType, getNullableType, isEnumType, isLeafType, isListType } = graphql;
const schema = graphql.buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

export function isValid(query) {
  try {
    return graphql.validate(schema, graphql.parse(query), undefined, { maxErrors: 1 }).length === 0;
  } catch {
    // Thrown for a document that is not GraphQL, and for a subscription with a variable in `@skip`.
    return false;
  }
}

const listed = (text) => text.split('|');
const ADMINISTRATIONS = { 1003: 25, 1002: 15, 1001: 15, 2001: 5, nowhere: 1 };
const TEXTS = listed('a|de|DE BOER|Boër|NL|Groningen|B.V.|Twice|Label 1|ODD|nl||東京|active');
const AMOUNTS = listed('0|0.00|100|250.50|-1|9007199254740993.01|1500');
const MOMENTS = listed(
  '2025-06-01T12:00:00Z|2025-06-20T00:00:00+02:00|2025-03-01T08:30:00.5Z|1999-12-31T23:59:59Z',
);
const TOKENS = listed(
  'demo-refresh-token-1|demo-refresh-token-1|demo-access-token-1|demo-token-company-a|none',
);
/** Small lists are read fast, large ones take several pages. */
const SIZES = [1, 2, 3, 5, 7, 20, 40, 100, 501, 700];
/** Fields that are selected even at the greatest depth. */
const CHEAP = /^(nodes|edges|node|pageInfo|postalAddress|labels|totals)$/;
/** How likely an argument of a list is given; the first three need the whole list. */
const LIKELY = { where: 0.05, orderBy: 0.05, among: 0.05, first: 0.8 };

/**
 * A random document and its variables. Of the options, `whole` asks for what needs whole lists, `page` for `$after`, and
 * `avoid` names fields to leave out.
 */
export function createDocument(random, operation, roots, options = {}) {
  const { whole = false, page = false, avoid = /$^/ } = options;
  const variables = {};
  const declared = page ? ['$after: String'] : [];
  const fragments = [];
  let names = 0;
  const name = (prefix) => {
    names += 1;
    return `${prefix}${names}`;
  };

  const root = schema.getRootType(operation);
  const parts = roots.map((member, index) => {
    const text = field(root, root.getFields()[member], options.depth ?? random.pick([2, 3, 4, 5]));
    // Equal fields with other arguments would conflict.
    return text.startsWith(member) && index > 0 ? `r${index}_${member}: ${text}` : text;
  });
  const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
  return { query: [`${operation} Op${head} { ${parts.join(' ')} }`, ...fragments].join('\n'), variables };

  /** `a: field(arguments) @include { … }` */
  function field(parent, definition, depth) {
    const type = getNamedType(definition.type);
    const inner = isLeafType(type) ? '' : selection(type, depth - 1);
    const alias = random.chance(0.15) ? `${name('x')}_${definition.name}: ` : '';
    return `${alias}${definition.name}${argumentsOf(parent, definition)}${directive()}${inner}`;
  }

  function selection(type, depth) {
    const own = Object.values(type.getFields());
    const leaves = own.filter((one) => isLeafType(getNamedType(one.type)));
    const inner = own.filter((one) => !leaves.includes(one) && isWanted(type, one, depth));
    const count = random.pick(leaves.length < 6 ? [1, 1, 2, 3] : [1, 1, 2, 3, 5, 12]);
    const innerCount = random.pick(/Connection$/.test(type.name) ? [1, 2, 2, 3] : [0, 1, 1, 2]);
    const chosen = [...random.some(leaves, count), ...random.some(inner, innerCount)];
    // The same field again, with other fields below it.
    if (random.chance(0.1)) chosen.push(...inner.slice(0, 1));
    const texts = chosen.map((one) => field(type, one, depth));
    if (texts.length === 0 || random.chance(0.1)) texts.push('__typename');
    for (const possible of graphql.isInterfaceType(type) ? schema.getPossibleTypes(type) : [])
      if (random.chance(0.8)) texts.push(`... on ${possible.name}${selection(possible, depth - 1)}`);
    if (random.chance(0.15)) texts.push(fragment(type, texts.splice(0, 1 + random.below(texts.length))));
    return ` { ${texts.join(' ')} }`;
  }

  /** Expensive fields are rare, and rarer in the depth. */
  function isWanted(parent, { name: member, type }, depth) {
    if (avoid.test(member) || (depth <= 0 && !CHEAP.test(member))) return false;
    if (parent.name === 'Administration' && depth < 3 && isList(type)) return random.chance(0.3);
    return whole || !/^(groups|totals)$/.test(member) || random.chance(0.3);
  }

  function fragment(type, texts) {
    const body = `{ ${texts.join(' ')} }`;
    if (random.chance(0.4)) return `... ${random.chance(0.5) ? `on ${type.name} ` : ''}${body}`;
    const spread = name('F');
    fragments.push(`fragment ${spread} on ${type.name} ${body}`);
    return random.chance(0.4) ? `...${spread} ...${spread}` : `...${spread}`;
  }

  function directive() {
    if (!random.chance(0.05)) return '';
    const isTrue = random.chance(0.6);
    const condition = random.chance(0.7) ? variable('Boolean!', isTrue) : String(isTrue);
    return ` @${random.pick(['skip', 'include'])}(if: ${condition})`;
  }

  function argumentsOf(parent, { name: of, args, type }) {
    const texts = args.flatMap((argument) => {
      const { name: member } = argument;
      if (member === 'after') return page && isList(type) ? 'after: $after' : [];
      const likely = whole && /^(where|orderBy)$/.test(member) ? 0.6 : (LIKELY[member] ?? 0.12);
      if (!graphql.isRequiredArgument(argument) && !random.chance(isList(type) ? likely : 0.4)) return [];
      return `${member}: ${write(makeValue(argument.type, `${parent.name}.${of}`, member), argument.type)}`;
    });
    return texts.length > 0 ? `(${texts.join(', ')})` : '';
  }

  function makeValue(type, place, member, depth = 0) {
    const nullable = getNullableType(type);
    if (type === nullable && random.chance(0.02)) return null;
    if (isListType(nullable)) {
      const length = random.pick(member === 'ids' ? [1, 2, 5, 12] : [1, 1, 2, 3]);
      return Array.from({ length }, () => makeValue(nullable.ofType, place, member, depth));
    }
    if (isEnumType(nullable)) return random.pick(nullable.getValues()).name;
    const inside = `${place}.${member}`;
    if (isLeafType(nullable)) return makeScalar(nullable.name, inside, member);
    const all = Object.values(nullable.getFields());
    const required = all.filter(graphql.isRequiredInputField);
    // Conditions on conditions end somewhere.
    const isDeep = ({ name: inner }) => depth > 2 && /^(and|or|not)$/.test(inner);
    const optional = all.filter((one) => !required.includes(one) && !isDeep(one));
    const least = required.length === 0 ? 1 : 0;
    const chosen = [...required, ...random.some(optional, least + (nullable.isOneOf ? 0 : random.below(2)))];
    // The one member of a @oneOf type may not be null, though its type says that it may.
    const typeOf = ({ type: inner }) =>
      nullable.isOneOf ? new graphql.GraphQLNonNull(getNullableType(inner)) : inner;
    return Object.fromEntries(
      chosen.map((one) => [one.name, makeValue(typeOf(one), inside, one.name, depth + 1)]),
    );
  }

  function makeScalar(scalar, place, member) {
    if (scalar === 'Boolean') return random.chance(0.5);
    if (scalar === 'Amount') return random.pick(AMOUNTS);
    if (scalar === 'DateTime') return random.pick(/deleted/i.test(place) ? deletions : MOMENTS);
    if (scalar === 'Int') return random.pick(member === 'first' ? SIZES : [0, 1, 50, 600, 5000]);
    if (/administrationId|^Query\.administration\.id$/.test(place)) {
      const id = random.weighted(ADMINISTRATIONS);
      return random.chance(0.2) ? (administrations[id] ?? id) : id;
    }
    if (/token$/i.test(member)) return random.pick(TOKENS);
    if (scalar !== 'ID' && !/Number|Identifier/.test(place)) return random.pick(TEXTS);
    // Mostly of a record that exists; otherwise of another kind, or of none.
    const what = random.chance(0.05) ? 'others' : place;
    return random.pick(keys.find(([pattern]) => pattern.test(what))[1]);
  }

  function write(value, type) {
    return random.chance(0.25)
      ? variable(String(type), value)
      : graphql.print(graphql.astFromValue(value, type));
  }

  function variable(type, value) {
    const own = name('v');
    declared.push(`$${own}: ${type}`);
    variables[own] = value;
    return `$${own}`;
  }
}

const isList = (type) => /Connection$/.test(getNamedType(type).name);
