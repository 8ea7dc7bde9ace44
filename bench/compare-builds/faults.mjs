import { pickBy, roll } from './random.mjs';

/**
 * Faults of the REST service. They follow from the seed of the run, the call without its `fields`, and
 * the records: a build that calls in another order, or for other fields, meets the same faults.
 */
export const MODES = { none: 60, types: 15, rows: 10, answers: 15 };

const refusal = (status, headers = {}) => {
  const text = JSON.stringify({ code: 'made_up', message: `A made-up ${status}.` });
  return { status, text, headers };
};
const NOW = { 'retry-after': '0' };
const ANSWERS = [
  ...[500, 502, 503, 400, 401, 403, 404, 418, 429].map((status) => refusal(status)),
  ...[refusal(503, NOW), refusal(429, NOW), refusal(429, { 'retry-after': '60' })],
  { status: 200, text: '<html>down for maintenance</html>', headers: { 'content-type': 'text/html' } },
  ...['', '{"data":[{"id":"1"', '[]', 'null', '{"data":7}', '{}'].map((text) => ({ status: 200, text })),
];

/** Replaces the response of as many calls as the fault lasts; an empty object leaves this call as it is. */
export function answerFault({ mode, seed }, call, occurrence) {
  const isHit = mode === 'answers' && roll(seed, 'hit', call) < 0.4;
  if (!isHit || occurrence >= pickBy([1, 1, 2, 3, 9], seed, 'times', call)) return {};
  if (roll(seed, 'cut', call) < 0.1) return { cutOff: true };
  const { status, text, headers } = pickBy(ANSWERS, seed, 'answer', call);
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(text) };
}

/** Breaks rows or members. */
export function changeRows({ mode, seed }, { path, query }, answer) {
  if ((mode !== 'types' && mode !== 'rows') || answer.status !== 200) return answer;
  const body = JSON.parse(answer.body.toString());
  const isList = Array.isArray(body.data);
  const spoil = (record) => spoilMembers(record, [seed, path, record.id ?? 'record']);
  let changed = body;
  if (mode === 'types') changed = isList ? { ...body, data: body.data.map(spoil) } : spoil(body);
  else if (isList) changed = disorder(body, seed, path, new URLSearchParams(query).get('cursor'));
  return { ...answer, body: Buffer.from(JSON.stringify(changed)) };
}

const WRONG = [7, -0.5, 2 ** 31, true, null, undefined, {}, { odd: 1 }, ['x'], '', 'no such value', '12,5'];
const SHARES = [0.004, 0.02, 0.1];

function spoilMembers(value, place) {
  if (Array.isArray(value)) return value.map((item, at) => spoilMembers(item, [...place, at]));
  if (typeof value !== 'object' || value === null) return value;
  const share = pickBy(SHARES, place[0], 'share');
  const members = Object.entries(value).map(([name, inner]) => {
    const here = [...place, name];
    // Records without a valid id say little about anything else.
    const isWrong = roll(...here) < (name === 'id' ? share / 10 : share);
    return [name, isWrong ? pickBy(WRONG, ...here, 'wrong') : spoilMembers(inner, here)];
  });
  return Object.fromEntries(members);
}

/** Rows that are missing, double, foreign, none at all or in another order, and cursors that lead nowhere. */
function disorder({ data, pagination }, seed, path, cursor) {
  const rows = data.flatMap((row) => {
    const luck = roll(seed, path, row.id);
    if (luck < 0.04) return [];
    if (luck < 0.08) return [row, row];
    if (luck < 0.1) return [{ ...row, administration_id: '2001' }];
    return luck < 0.11 ? [pickBy([null, 'row', 7, []], seed, row.id)] : [row];
  });
  if (roll(seed, 'order') < 0.3) rows.sort((one, other) => roll(seed, one?.id) - roll(seed, other?.id));
  const turn = roll(seed, 'pagination');
  if (turn < 0.1 && cursor) return { data: rows, pagination: { cursor } };
  if (turn < 0.2) return { data: cursor ? [] : rows, pagination: { cursor: 'again' } };
  if (turn < 0.25) return { data: rows, pagination: pickBy([{}, null, { cursor: 7 }, 'next'], seed) };
  return { data: rows, ...(pagination && { pagination }) };
}
