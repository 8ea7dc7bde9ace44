import { readFileSync } from 'node:fs';
import {
  buildSchema,
  GraphQLNonNull,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';

export const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

const ADMINISTRATIONS = { 1003: 5, 1002: 3, 1001: 3, 2001: 1, nowhere: 0.2 };
const TEXTS = [
  'a',
  'de',
  'DE BOER',
  'Boër',
  'NL',
  'Groningen',
  'B.V.',
  'Twice',
  'Label 1',
  'ODD',
  'nl',
  '',
  '東京',
  'active',
];
const AMOUNTS = ['0', '0.00', '100', '250.50', '-1', '9007199254740993.01', '1500'];
const MOMENTS = [
  '2025-06-01T12:00:00Z',
  '2025-06-20T00:00:00+02:00',
  '2025-03-01T08:30:00.5Z',
  '1999-12-31T23:59:59Z',
];
const TOKENS = [
  'demo-refresh-token-1',
  'demo-refresh-token-1',
  'demo-access-token-1',
  'demo-token-company-a',
  'none',
];
/** In the order in which lists are most useful to compare: small ones are read fast, large ones take several pages. */
const SIZES = [1, 2, 3, 5, 7, 20, 40, 100, 501, 700];
/** Arguments for which the whole list has to be read. */
export const WHOLE = ['where', 'orderBy', 'among'];

/** A random document and its variables. `known` has ids and numbers of records that exist. */
export function createDocument(random, known) {
  const variables = {};
  const declared = [];
  const fragments = [];
  let names = 0;
  let hasList = false;
  const name = (prefix) => {
    names += 1;
    return `${prefix}${names}`;
  };

  /** `a: field(arguments) @include { … }`, or nothing if there is nothing to select in it. */
  function field(parent, definition, depth, options = {}) {
    const type = getNamedType(definition.type);
    const inner = isLeafType(type) ? '' : selection(type, depth - 1, options);
    const alias = random.chance(0.15) ? `${name('x')}_${definition.name}: ` : '';
    return `${alias}${definition.name}${argumentsOf(parent, definition, options)}${directive()}${inner}`;
  }

  function selection(type, depth, options = {}) {
    const own = Object.values(type.getFields());
    const leaves = own.filter((one) => isLeafType(getNamedType(one.type)));
    const composite = own.filter((one) => !leaves.includes(one) && isWanted(type, one, depth, options));
    const count = random.pick([1, 1, 2, 3, 5, 12]);
    const chosen = random.some(leaves, leaves.length < 6 ? Math.min(count, 3) : count);
    if (composite.length > 0)
      chosen.push(
        ...random.some(composite, random.pick(/Connection$/.test(type.name) ? [1, 2, 2, 3] : [0, 1, 1, 2])),
      );
    const parts = chosen.map((one) => field(type, one, depth, options));
    if (random.chance(0.1)) parts.push('__typename');
    if (random.chance(0.1) && composite.length > 0)
      parts.push(...composite.slice(0, 1).map((one) => field(type, one, depth, options)));
    if (isInterfaceType(type)) {
      for (const possible of schema.getPossibleTypes(type))
        if (random.chance(0.8))
          parts.push(`... on ${possible.name} ${selection(possible, depth - 1, options)}`);
    } else if (parts.length > 1 && random.chance(0.15))
      parts.push(fragment(type, parts.splice(0, 1 + random.below(parts.length))));
    return ` { ${parts.length > 0 ? parts.join(' ') : '__typename'} }`;
  }

  /** What would be the most expensive goes first as documents get deeper. */
  function isWanted({ name: parent }, { name: member, type }, depth, { avoid = /$^/ }) {
    const kind = getNamedType(type).name;
    if (depth <= 0 && !/^(nodes|edges|node|pageInfo|postalAddress|labels|totals)$/.test(member)) return false;
    if (parent === 'Administration' && depth < 3 && /Connection$/.test(kind)) return random.chance(0.3);
    return !avoid.test(member) && (!/^(groups|totals)$/.test(member) || random.chance(0.3) || hasList);
  }

  function fragment(type, parts) {
    const body = `{ ${parts.join(' ')} }`;
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

  function argumentsOf(parent, { name: of, args, type }, { whole = false, page = false, fixed = {} }) {
    if (of in fixed) return fixed[of];
    const isList = /Connection$/.test(getNamedType(type).name);
    const texts = args.flatMap((argument) => {
      const { name: member } = argument;
      if (isList && page && member === 'after') return `after: $after`;
      if (member === 'after') return [];
      const isWhole = WHOLE.includes(member);
      const likely =
        isWhole && whole && member !== 'among' ? 0.6 : isWhole ? 0.05 : member === 'first' ? 0.8 : 0.12;
      if (!isRequiredArgument(argument) && !random.chance(isList ? likely : 0.4)) return [];
      return `${member}: ${write(makeValue(argument.type, member, `${parent.name}.${of}`), argument.type)}`;
    });
    return texts.length > 0 ? `(${texts.join(', ')})` : '';
  }

  function makeValue(type, member, place, depth = 0) {
    const nullable = getNullableType(type);
    if (type === nullable && random.chance(0.02)) return null;
    if (isListType(nullable)) {
      const length = random.pick(member === 'ids' ? [1, 2, 5, 12] : [1, 1, 2, 3]);
      return Array.from({ length }, () => makeValue(nullable.ofType, member, place, depth));
    }
    if (isEnumType(nullable)) return random.pick(nullable.getValues()).name;
    if (isInputObjectType(nullable)) return makeObject(nullable, place, depth + 1);
    return makeScalar(nullable.name, member, place);
  }

  function makeObject(type, place, depth) {
    const all = Object.values(type.getFields());
    const required = all.filter(isRequiredInputField);
    // Conditions on conditions end somewhere.
    const optional = all.filter(
      (one) => !required.includes(one) && (depth < 4 || !/^(and|or|not)$/.test(one.name)),
    );
    const count = type.isOneOf || (required.length === 0 && depth > 0) ? 1 : 0;
    const chosen = random.some(optional, type.isOneOf ? 1 : count + random.below(2));
    const entries = [...required, ...chosen].map((one) => [
      one.name,
      makeValue(memberType(type, one.name), one.name, `${place}.${type.name}`, depth),
    ]);
    return Object.fromEntries(entries);
  }

  function makeScalar(scalar, member, place) {
    if (scalar === 'Boolean') return random.chance(0.5);
    if (scalar === 'Amount') return random.pick(AMOUNTS);
    if (scalar === 'DateTime')
      return /deleted/i.test(place + member) ? random.pick(known.deletions) : random.pick(MOMENTS);
    if (scalar === 'Int') return member === 'first' ? random.pick(SIZES) : random.pick([0, 1, 50, 600, 5000]);
    if (member === 'administrationId' || /^Query\.administration$/.test(place)) return administration();
    if (/token$/i.test(member)) return random.pick(TOKENS);
    if (scalar === 'ID' || /Number|Identifier/.test(member + place)) return keyOf(member, place);
    return random.pick(TEXTS);
  }

  function administration() {
    const id = random.weighted(ADMINISTRATIONS);
    return random.chance(0.2) ? (known.administrations[id] ?? id) : id;
  }

  /** A key of a record that exists, mostly; otherwise one of another kind, or of none. */
  function keyOf(member, place) {
    const what = random.chance(0.05) ? 'others' : `${place}.${member}`;
    const key = Object.keys(known.keys).find((pattern) => new RegExp(pattern).test(what)) ?? 'others';
    return random.pick(known.keys[key]);
  }

  /** As a literal, or as a variable, which may also stand for a part of it. */
  function write(value, type) {
    if (random.chance(0.25)) return variable(String(type), value);
    const nullable = getNullableType(type);
    if (value === null || isLeafType(nullable))
      return isEnumType(nullable) ? String(value) : JSON.stringify(value);
    if (isListType(nullable)) return `[${value.map((item) => write(item, nullable.ofType)).join(', ')}]`;
    const members = Object.entries(value).map(([member, inner]) => {
      return `${member}: ${write(inner, memberType(nullable, member))}`;
    });
    return `{ ${members.join(', ')} }`;
  }

  function variable(type, value) {
    const own = name('v');
    declared.push(`$${own}: ${type}`);
    variables[own] = value;
    return `$${own}`;
  }

  return {
    /** Root fields of a kind of operation. */
    write(operation, roots, options = {}) {
      const type = {
        query: schema.getQueryType(),
        mutation: schema.getMutationType(),
        subscription: schema.getSubscriptionType(),
      }[operation];
      hasList = options.whole ?? false;
      if (options.page) declared.push('$after: String');
      const parts = roots.map((root, index) => {
        const text = field(type, type.getFields()[root], options.depth ?? random.pick([2, 3, 4, 5]), options);
        // Equal fields with other arguments would conflict.
        return /^x\d+_/.test(text) || index === 0
          ? text
          : `r${index}_${text}`.replace(/^(r\d+_)(\w+)/, `$1${root}: $2`);
      });
      const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
      return { query: [`${operation} Op${head} { ${parts.join(' ')} }`, ...fragments].join('\n'), variables };
    },
  };
}

/** The one member of a @oneOf type may not be null, though its type says that it may. */
function memberType(type, member) {
  const declared = type.getFields()[member].type;
  return type.isOneOf ? new GraphQLNonNull(getNullableType(declared)) : declared;
}
