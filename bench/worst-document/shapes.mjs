const times = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join(' ');
const nest = (depth, open, inside) => `${open.repeat(depth)}${inside}${'}'.repeat(depth)}`;

const LEAVES =
  'id internalId administrationId debtorNumber debtorIdentifier name bankAccountName bankAccountNumber ' +
  'bookOpenAmount callPhoneNumber smsPhoneNumber cocNumber vatNumber creditLimitAmount primaryEmailAddress ' +
  'invoiceEmailAddress reminderEmailAddress';
const leaves = (count) => LEAVES.split(' ').slice(0, Math.max(1, count)).join(' ');
const list = (index, inside) => `l${index}: debtors(administrationId: "1001") { nodes { ${inside} } }`;

/** Each makes a document of some sizes; the ranges reach beyond the limits, so that the search finds these. */
export const families = {
  'the same field again': {
    ranges: [
      [1, 900],
      [0, 3],
    ],
    make: (count, kind) =>
      `{ ${['node(id: 0) { id } ', '__typename ', 'nonsense ', 'companies { nodes { name } } '][kind].repeat(count)} }`,
  },
  'the same field, other arguments': {
    ranges: [
      [1, 700],
      [1, 20],
    ],
    make: (count, values) =>
      `{ ${times(count, (index) => `nodes(ids: [${times(values, (value) => index * value)}]) { id }`)} }`,
  },
  'the same field, long arguments': {
    ranges: [
      [1, 200],
      [1, 400],
      [1, 60],
    ],
    make: (count, values, length) =>
      `{ ${times(count, () => `nodes(ids: [${times(values, () => `"${'x'.repeat(length)}"`)}]) { id }`)} }`,
  },
  'the same field, values beside a fragment': {
    ranges: [
      [1, 200],
      [1, 60],
      [0, 6],
      [0, 1],
    ],
    make: (count, values, kind, isBelow) => {
      const value = ['1', '"x"', '"\\n\\u0041"', '$v', '[1]', '[[[[1]]]]', '"""x"""'][kind];
      const fields = times(count, () => `nodes(ids: [${times(values, () => value)}]) { ...F }`);
      const query = isBelow ? `{ ...Q } fragment Q on Query { ${fields} }` : `{ ${fields} }`;
      return `${kind === 3 ? 'query q($v: ID!) ' : ''}${query} fragment F on Node { id }`;
    },
  },
  'the same field, input objects': {
    ranges: [
      [1, 200],
      [1, 30],
      [0, 2],
    ],
    make: (count, objects, kind) => {
      const message = ['{ id: "1", read: true } ', '{ read: true, id: "1" } ', '{ id: { a: { b: 1 } } } '][
        kind
      ];
      const input = `{ administrationId: "1", messages: [${message.repeat(objects)}] }`;
      return `mutation { ${`updateMessages(input: ${input}) { ...P } `.repeat(count)} }
        fragment P on UpdateMessagesPayload { count }`;
    },
  },
  'the same field, long strings': {
    ranges: [
      [1, 200],
      [1, 2000],
      [0, 1],
    ],
    make: (count, length, kind) =>
      `{ ${`node(id: "${['x', '\\n'][kind].repeat(length)}") { ...F } `.repeat(count)} } fragment F on Node { id }`,
  },
  'the same field, directives': {
    ranges: [
      [1, 200],
      [1, 10],
    ],
    make: (count, directives) =>
      `{ ${`node(id: 1) ${'@include(if: true) '.repeat(directives)} { ...F } `.repeat(count)} } fragment F on Node { id }`,
  },
  'repeated, and repeated inside': {
    ranges: [
      [1, 40],
      [1, 40],
      [1, 40],
    ],
    make: (outer, middle, inner) =>
      `{ ${`debtors(administrationId: "1") { ${`nodes { ${'name '.repeat(inner)} } `.repeat(middle)} } `.repeat(outer)} }`,
  },
  'aliases of lists': {
    ranges: [
      [1, 210],
      [1, 17],
      [1, 8],
    ],
    make: (count, fields, repeat) =>
      `{ ${times(count, (index) => list(index, `${leaves(fields)} `.repeat(repeat)))} }`,
  },
  'aliases of a list, by fragment': {
    ranges: [
      [1, 210],
      [1, 17],
    ],
    make: (count, fields) =>
      `{ ${times(count, (index) => list(index, '...F'))} } fragment F on Debtor { ${leaves(fields)} }`,
  },
  'aliases of any type': {
    ranges: [
      [1, 210],
      [1, 20],
    ],
    make: (count, types) =>
      `{ ${times(count, (index) => `n${index}: node(id: "x") { id ${'... on Debtor { id } ... on Administration { id } '.repeat(types)} }`)} }`,
  },
  'fragments in fragments': {
    ranges: [
      [1, 50],
      [1, 30],
      [1, 17],
    ],
    make: (count, spreads, fields) =>
      `{ debtors(administrationId: "1") { nodes { ...f0 } } } ${times(count, (index) => {
        const next = times(spreads, (step) => (index + step + 1 < count ? `...f${index + step + 1}` : ''));
        return `fragment f${index} on Debtor { ${leaves(fields)} ${next} }`;
      })}`,
  },
  'fragments with fields below': {
    ranges: [
      [1, 50],
      [1, 20],
      [1, 12],
    ],
    make: (count, spreads, fields) =>
      `{ debtors(administrationId: "1") { nodes { ${times(spreads, (step) => `...f${step % count}`)} } } } ${times(
        count,
        (index) =>
          `fragment f${index} on Debtor { postalAddress { city ${'street1 '.repeat(fields)} } labels { name } }`,
      )}`,
  },
  'inline fragments': {
    ranges: [
      [1, 600],
      [1, 60],
      [1, 10],
    ],
    make: (count, depth, fields) =>
      `{ node(id: "x") { ${times(count, (index) =>
        nest(depth, ['... on Node {', '... on Debtor {', '... {'][index % 3], 'id '.repeat(fields)),
      )} } }`,
  },
  conditions: {
    ranges: [
      [1, 210],
      [0, 1],
      [1, 5],
    ],
    make: (count, inFragments, fields) =>
      `query q(${times(count, (index) => `$v${index}: Boolean = true`)}) { ${times(count, (index) =>
        inFragments
          ? `... @include(if: $v${index}) { ${'__typename '.repeat(fields)} }`
          : `__typename @skip(if: $v${index})`,
      )} }`,
  },
  'literal lists': {
    ranges: [
      [1, 200],
      [1, 7900],
    ],
    make: (lists, values) =>
      `{ ${times(lists, (index) => `l${index}: nodes(ids: [${'1 '.repeat(values)}]) { id }`)} }`,
  },
  'long lists in fragments': {
    ranges: [
      [1, 60],
      [1, 2000],
    ],
    make: (count, values) =>
      `{ ${times(count, (index) => `a${index}: administration(id: "1") { ...A }`)} }
       fragment A on Administration { debtors(ids: [${'"1" '.repeat(values)}]) { nodes { name } } }`,
  },
  'input objects': {
    ranges: [
      [1, 100],
      [1, 1200],
      [0, 2],
    ],
    make: (count, objects, kind) =>
      `mutation { ${times(
        count,
        (index) =>
          `m${index}: updateMessages(input: { administrationId: "1", messages: [${['{ id: "1", read: true } ', '{ idd: 1 } ', '{ id: 1, id: 2, read: 3 } '][kind].repeat(objects)}] }) { messages { read } }`,
      )} }`,
  },
  'objects of one member': {
    ranges: [
      [1, 200],
      [1, 40],
    ],
    make: (count, members) =>
      `{ administration(id: "1") { ${times(count, (index) => `d${index}: debtor(by: { ${times(members, (member) => `${['id', 'debtorNumber', 'idd'][member % 3]}: "1"`)} }) { name }`)} } }`,
  },
  'unknown fields': {
    ranges: [
      [1, 1600],
      [1, 60],
    ],
    make: (count, length) => `{ ${times(count, (index) => `d${'e'.repeat(length)}btors${index}`)} }`,
  },
  'unknown arguments and types': {
    ranges: [
      [1, 900],
      [1, 60],
    ],
    make: (count, length) =>
      `query q(${times(count, (index) => `$v${index}: Deb${'t'.repeat(length)}or`)}) { debtors(${times(count, (index) => `${'administration'.repeat(1 + (length % 4))}${index}: 1`)}) { nodes { name } } }`,
  },
  'many operations': {
    ranges: [
      [1, 1600],
      [1, 30],
      [1, 2000],
    ],
    make: (count, spreads, values) =>
      `${times(count, (index) => `query q${index}($a: ID!) { ${'...F '.repeat(spreads)} }`)} fragment F on Query { nodes(ids: [${'$a '.repeat(values)}]) { id } }`,
  },
  'many variables': {
    ranges: [
      [1, 2600],
      [0, 1],
      [0, 1],
    ],
    make: (count, used, same) =>
      `query q(${times(count, (index) => `$v${same ? 0 : index}: ID = "1"`)}) { nodes(ids: [${used ? times(count, (index) => `$v${index}`) : '"1"'}]) { id } }`,
  },
  'deep types': {
    ranges: [
      [1, 4000],
      [1, 40],
    ],
    make: (depth, count) =>
      `query q(${times(count, (index) => `$v${index}: ${'['.repeat(depth)}ID${']'.repeat(depth)}`)}) { nodes(ids: [${times(count, (index) => `$v${index}`)}]) { id } }`,
  },
  introspection: {
    ranges: [
      [1, 200],
      [1, 8],
      [1, 20],
    ],
    make: (count, depth, fields) =>
      `{ ${times(count, (index) => `s${index}: __schema { types { ${'name '.repeat(fields)} fields { name type { ${nest(depth, 'ofType { ', 'name ')} } } } }`)} }`,
  },
  'introspection of types': {
    ranges: [
      [1, 200],
      [1, 12],
    ],
    make: (count, depth) =>
      `{ ${times(count, (index) => `t${index}: __type(name: "Debtor") { ${nest(depth, 'ofType { ', 'name kind')} fields { name args { name defaultValue } } }`)} }`,
  },
  'directives that repeat': {
    ranges: [
      [1, 210],
      [0, 1],
    ],
    make: (count, kind) => `{ __typename ${['@skip(if: false) ', '@nonsense(a: 1) '][kind].repeat(count)} }`,
  },
  'comments and spaces': {
    ranges: [
      [1, 32_000],
      [0, 2],
    ],
    make: (count, kind) => `{ __typename ${['#\n', ',', '\n'][kind].repeat(count)} }`,
  },
  strings: {
    ranges: [
      [1, 400],
      [1, 20_000],
      [0, 2],
    ],
    make: (count, length, kind) =>
      `{ nodes(ids: [${times(count, () => ['"x"', '"""\\n x"""', '"\\u0041"'][kind].replace(/x|\\u0041/, (text) => text.repeat(Math.ceil(length / count))))}]) { id } }`,
  },
  'debtors below debtors': {
    ranges: [
      [1, 8],
      [1, 60],
      [1, 17],
    ],
    make: (depth, count, fields) =>
      `{ administration(id: "1") { ${times(count, (index) => `d${index}: ${'debtor(by: { id: "1" }) { administration { '.repeat(depth)} debtors { nodes { ${leaves(fields)} } } ${'} }'.repeat(depth)}`)} } }`,
  },
};
