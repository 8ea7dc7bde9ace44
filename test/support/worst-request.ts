import { Random } from '../execution/random.ts';
import { times } from './times.ts';

/** A request, and the choices that made it: changing a few of them makes others that are much like it. */
export interface RandomRequest {
  readonly choices: readonly number[];
  readonly body: string;
}

/** Within the limits of documents and bodies: a request that exceeds them is refused at once. */
const MAX_ALIASES = 199;
const MAX_FIELDS = 1_400;
const MAX_TOKENS = 7_000;
const MAX_VARIABLE_BYTES = 230_000;
const MAX_LISTS = 3;

const COUNTS = [1, 2, 5, 20, 60, 199];
const FIRST = [1, 50, 50, 400, 10_000];
/** These are slow to normalize, to compare, or to search for another text. */
const TEXTS = [
  'Debtor 1',
  'é'.repeat(1_000),
  '\u0301\u0316'.repeat(500),
  `y${'x'.repeat(999)}`,
  'ﷺ'.repeat(300),
  // Longer than a condition may be.
  '\u0301\u0316'.repeat(20_000),
];
const OPERATORS = ['contains', 'startsWith', 'eq', 'in'];
const COMPARED = ['name', 'remark', 'debtorNumber'];
const COLUMNS = ['NAME', 'REMARK', 'DEBTOR_NUMBER', 'POSTAL_ADDRESS_CITY'];
const MEMBERS = ['id', 'name', '__typename', 'remark', 'cocNumber', 'postalAddress { city }'];
const TYPES: Readonly<Record<string, string>> = { where: 'DebtorWhere', ids: '[ID!]!' };

const debtorId = (index: number) => `d${String(index).padStart(6, '0')}`;
const globalId = (...parts: readonly [type: string, administration: string, id: string]) =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** Repeats the choices of another request, and continues with random ones. */
class Choices extends Random {
  readonly made: number[] = [];

  constructor(
    private readonly known: readonly number[],
    seed: number,
  ) {
    super(seed);
  }

  override below(count: number): number {
    const choice = this.known[this.made.length] ?? super.below(2 ** 31);
    this.made.push(choice);
    return choice % count;
  }
}

/** Combines aliases, lists, ids, nested administrations, conditions, orders, groups and fragments. */
export function makeRequest(known: readonly number[], seed: number): RandomRequest {
  const random = new Choices(known, seed);
  const administration = random.pick(['wide', 'long', 'texts', 'wrong', 'heavy']);
  // A request that has a bit of everything has not enough of anything.
  const focus = random.pick(['members', 'administrations', 'conditions', 'orders', 'ids', 'faults']);
  const likes = (what: typeof focus) => random.chance(focus === what ? 80 : 10);
  const variables: Record<string, unknown> = {};
  const fragments: string[] = [];
  /** How much is left; and how many times the field that is being made is in the document, with all around it. */
  const left = { aliases: MAX_ALIASES, fields: MAX_FIELDS, tokens: MAX_TOKENS, lists: MAX_LISTS };
  let copies = 1;
  let names = 0;

  /** Makes a field once or many times, under aliases or merged. */
  function repeat(make: () => string): string {
    const isMerged = random.chance(5) || left.aliases < copies;
    const room = Math.floor((isMerged ? left.fields : Math.min(left.aliases, left.fields)) / copies);
    let count = Math.max(1, Math.min(random.pick(COUNTS), room));
    copies *= count;
    if (!isMerged) left.aliases -= copies;
    left.fields -= copies;
    const field = make();
    copies /= count;
    const size = copies * (3 + (field.match(/\w+|[^\s\w]/g)?.length ?? 0));
    count = Math.max(1, Math.min(count, Math.floor(left.tokens / size)));
    left.tokens -= count * size;
    return times(count, () => (isMerged ? field : `a${names++}: ${field}`)).join(' ');
  }

  /** Selects one field or two, now and then by a fragment. */
  function select(type: string, choose: () => string): string {
    const selected = times(1 + random.below(2), () => repeat(choose)).join(' ');
    if (!random.chance(15)) return `{ ${selected} }`;
    const name = `f${fragments.length}`;
    fragments.push(`fragment ${name} on ${type} { ${selected} }`);
    return `{ ...${name} }`;
  }

  function debtor(): string {
    return select('Debtor', () => {
      if (likes('administrations')) return `administration ${inAdministration()}`;
      return likes('faults') && random.chance(10) ? 'nmae' : random.pick(MEMBERS);
    });
  }

  function inAdministration(): string {
    return select('Administration', () => {
      if (left.lists > 0 && (focus === 'administrations' || random.chance(30))) return list('');
      if (random.chance(20)) return `debtor(by: { id: "${debtorId(random.below(9))}" }) ${debtor()}`;
      return random.pick(['id', 'internalId', '__typename']);
    });
  }

  function connection(): string {
    return select('DebtorConnection', () => {
      if (likes('orders'))
        return random.chance(50)
          ? 'totals { count bookOpenAmount { sum } }'
          : `groups(by: ${random.pick(COLUMNS)}, first: 5000) { key totals { count } }`;
      if (random.chance(80)) return `nodes ${debtor()}`;
      return random.pick([`edges { node ${debtor()} }`, 'edges { cursor }', 'pageInfo { endCursor }']);
    });
  }

  function list(own: string): string {
    left.lists -= 1;
    // A list with an invalid argument is not read: it costs an error in each of its rows.
    const first = own === '' && random.chance(left.lists < 2 ? 60 : 10) ? 0 : random.pick(FIRST);
    const where = likes('conditions') ? `, where: ${conditions()}` : '';
    const orders = times(1 + random.below(9), () => `{ field: ${random.pick(COLUMNS)} }`);
    const orderBy = likes('orders') ? `, orderBy: [${orders}]` : '';
    return `debtors(${own}first: ${first}, among: 25000${where}${orderBy}) ${connection()}`;
  }

  /** Writes conditions in a variable, which all lists share, or as literals. */
  function conditions(): string {
    const [member, operator, text] = [random.pick(COMPARED), random.pick(OPERATORS), random.pick(TEXTS)];
    const most = Math.floor(MAX_VARIABLE_BYTES / (Buffer.byteLength(text) + 30));
    if (random.chance(20)) return `{ ${member}: { contains: ${JSON.stringify(text)} } }`;
    const many = times(most, (index) => text.slice(5) + index);
    const one = { [member]: { [operator]: operator === 'in' ? many : text } };
    variables.where ??= { or: times(operator === 'in' ? 1 : Math.min(most, 99), () => one) };
    return '$where';
  }

  function ids(make: (index: number) => string): string {
    const most = Math.floor(MAX_VARIABLE_BYTES / (make(9_999).length + 3));
    variables.ids ??= times(random.chance(70) ? most : 50, make);
    return '$ids';
  }

  const debtorIds = (index: number) => globalId('Debtor', administration, debtorId(index));
  const root = select('Query', () => {
    const own = `administrationId: "${administration}", `;
    if (likes('ids') && random.chance(80)) {
      const administrations = (index: number) => globalId('Administration', '', `${index}`);
      const make = random.pick([administrations, debtorIds, debtorId]);
      return `nodes(ids: ${ids(make)}) { ${random.chance(50) ? 'id' : `...on Debtor ${debtor()}`} }`;
    }
    if (likes('ids')) return list(`${own}ids: ${ids(random.pick([debtorIds, debtorId]))}, `);
    if (random.chance(10)) return `administration(id: "${administration}") ${inAdministration()}`;
    if (random.chance(5)) return '__schema { types { fields { args { name } type { ofType { name } } } } }';
    return list(own);
  });
  const declared = Object.keys(variables).map((name) => `$${name}: ${TYPES[name]}`);
  const query = `query ${declared.length > 0 ? `(${declared})` : ''} ${root} ${fragments.join(' ')}`;
  return { choices: random.made, body: JSON.stringify({ query, variables }) };
}

export interface MeasuredRequest extends RandomRequest {
  readonly measured: number;
}

/**
 * Searches for the requests for which `measure` gives most. Two thirds are random; each of the others has a few other
 * choices than one of the worst so far. Returns the worst one.
 */
export async function searchWorst(
  random: Random,
  count: number,
  measure: (body: string) => Promise<number>,
): Promise<MeasuredRequest | undefined> {
  const worst: MeasuredRequest[] = [];
  for (let index = 0; index < count; index += 1) {
    const choices = index < (count * 2) / 3 ? [] : [...random.pick(worst).choices];
    const changes = Math.min(choices.length, 1 + random.below(4));
    for (let change = 0; change < changes; change += 1)
      choices[random.below(choices.length)] = random.below(2 ** 31);
    const request = makeRequest(choices, random.below(2 ** 31));
    worst.push({ ...request, measured: await measure(request.body) });
    worst.sort((a, b) => b.measured - a.measured).splice(8);
  }
  return worst[0];
}
