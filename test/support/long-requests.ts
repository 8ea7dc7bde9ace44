import { times } from './times.ts';

const aliases = (count: number, field: string) => times(count, (index) => `a${index}: ${field}`).join(' ');
const administration = (index: number) =>
  Buffer.from(JSON.stringify(['Administration', '', `${index}`])).toString('base64url');
const list = (selection: string, first = 50) => `debtors(first: ${first}) { nodes { ${selection} } }`;
const condition = { remark: { contains: 'xxxxxxxy' } };

/** Requests that held the event loop for long before values were weighed by their time, and rows visited in turns. */
export const LONG_REQUESTS: { readonly [kind: string]: object } = {
  'objects that need no call': {
    query: `query ($ids: [ID!]!) { ${aliases(190, 'nodes(ids: $ids) { id }')} }`,
    variables: { ids: times(5_700, administration) },
  },
  'lists in lists of one administration': {
    query: `{ administration(id: "wide") { ${list(
      `administration { ${list(`administration { ${list(aliases(3, 'administration { id }'), 100)} }`)} }`,
    )} } }`,
  },
  'conditions on long texts': {
    query:
      'query ($where: DebtorWhere) { debtors(administrationId: "heavy", where: $where) { nodes { name } } }',
    variables: { where: { or: times(99, () => condition) } },
  },
};
