import { pickBy, roll } from './random.mjs';

/**
 * What goes wrong at the REST service. All of it follows from the seed of the run, the call without its `fields`, and
 * the records: a build that calls in another order, or for other fields, meets the same faults.
 */
export const MODES = { none: 60, types: 14, rows: 10, status: 8, bodies: 5, slow: 3 };

const STATUSES = [
  [500, {}],
  [502, {}],
  [503, {}],
  [503, { 'retry-after': '0' }],
  [429, {}],
  [429, { 'retry-after': '0' }],
  [429, { 'retry-after': '60' }],
  [400, {}],
  [401, {}],
  [403, {}],
  [404, {}],
  [418, {}],
];

const JSON_TYPE = { 'content-type': 'application/json' };
const BODIES = [
  { headers: { 'content-type': 'text/html' }, text: '<html>down for maintenance</html>' },
  { headers: JSON_TYPE, text: '' },
  { headers: JSON_TYPE, text: '{"data":[{"id":"1"' },
  { headers: JSON_TYPE, text: '[]' },
  { headers: JSON_TYPE, text: 'null' },
  { headers: JSON_TYPE, text: '{"data":7}' },
  { headers: JSON_TYPE, text: '{}' },
];

/** In place of the answer, for as many calls as the fault lasts; an empty object if nothing is wrong with this call. */
export function answerFault({ mode, seed }, call, occurrence) {
  if (mode === 'slow')
    return { delayMs: 1 + 40 * roll(seed, 'delay', call), place: String(roll(seed, 'place', call)) };
  const isHit = (mode === 'status' || mode === 'bodies') && roll(seed, 'hit', call) < 0.4;
  if (!isHit || occurrence >= pickBy([1, 1, 2, 3, 9], seed, 'times', call)) return {};
  if (mode === 'bodies' && roll(seed, 'cut', call) < 0.3) return { cutOff: true };
  if (mode === 'bodies') {
    const { headers, text } = pickBy(BODIES, seed, 'body', call);
    return { status: 200, headers, body: Buffer.from(text) };
  }
  const [status, headers] = pickBy(STATUSES, seed, 'status', call);
  const text = JSON.stringify({ code: 'made_up', message: `A made-up ${status}.` });
  return { status, headers: { ...JSON_TYPE, ...headers }, body: Buffer.from(text) };
}

/** With rows or members that are wrong. */
export function changeRows({ mode, seed }, { path, query }, answer) {
  if ((mode !== 'types' && mode !== 'rows') || answer.status !== 200) return answer;
  const body = JSON.parse(answer.body.toString());
  const isList = Array.isArray(body.data);
  let changed = body;
  if (mode === 'types') changed = isList ? { ...body, data: body.data.map(spoil) } : spoil(body);
  else if (isList) changed = disorder(body, seed, path, new URLSearchParams(query).get('cursor'));
  return { ...answer, body: Buffer.from(JSON.stringify(changed)) };

  function spoil(record) {
    return spoilMembers(record, [seed, path, record.id ?? 'record']);
  }
}

const WRONG = [7, -0.5, 2 ** 31, true, null, undefined, {}, { odd: 1 }, ['x'], '', 'no such value', '12,5'];
const SHARES = [0.004, 0.02, 0.1];

function spoilMembers(record, place) {
  const share = pickBy(SHARES, place[0], 'share');
  const members = Object.entries(record).map(([name, value]) => {
    const here = [...place, name];
    // Records without a valid id say little about anything else.
    if (roll(...here) < (name === 'id' ? share / 10 : share)) return [name, pickBy(WRONG, ...here, 'wrong')];
    if (Array.isArray(value)) return [name, value.map((item, at) => spoilItem(item, [...here, at]))];
    return [name, spoilItem(value, here)];
  });
  return Object.fromEntries(members);
}

function spoilItem(value, here) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? spoilMembers(value, here)
    : value;
}

/** Rows that are missing, double, foreign, none at all or in another order, and cursors that lead nowhere. */
function disorder({ data, pagination }, seed, path, cursor) {
  const rows = data.flatMap((row) => {
    const luck = roll(seed, path, row.id);
    if (luck < 0.04) return [];
    if (luck < 0.08) return [row, row];
    if (luck < 0.1) return [{ ...row, administration_id: '2001' }];
    if (luck < 0.11) return [pickBy([null, 'row', 7, []], seed, row.id)];
    return [row];
  });
  if (roll(seed, 'order') < 0.3) rows.sort((one, other) => roll(seed, one?.id) - roll(seed, other?.id));
  const turn = roll(seed, 'pagination');
  if (turn < 0.1 && cursor) return { data: rows, pagination: { cursor } };
  if (turn < 0.2) return { data: cursor ? [] : rows, pagination: { cursor: 'again' } };
  if (turn < 0.25) return { data: rows, pagination: pickBy([{}, null, { cursor: 7 }, 'next'], seed) };
  return { data: rows, ...(pagination && { pagination }) };
}
