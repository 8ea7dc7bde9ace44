// What a hostile service may answer: each is made for the path that was asked for, as status, headers and chunks.
const MEGABYTE = 1_000_000;
const JSON_TYPE = { 'content-type': 'application/json' };

const page = (rows) => `{"data":[${rows}]}`;
const row = (id, members = '') =>
  `{"id":"${id}","administration_id":"1001","updated_at":"2024-05-01T00:00:00Z"${members}}`;
const rows = (count, members) => Array.from({ length: count }, (_, index) => row(index, members)).join(',');
const ok = (body) => ({ status: 200, headers: JSON_TYPE, body: Buffer.from(body) });
const failed = (status, body, headers) => ({
  status,
  headers: { ...JSON_TYPE, ...headers },
  body: Buffer.from(body),
});
const message = (text) => JSON.stringify({ code: 'x', message: text });
const filled = (bytes, unit) => unit.repeat(Math.ceil(bytes / unit.length));
const field = (value) => ok(page(row('1', `,"remark":${value}`)));

const list = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join(',');

/** By name: the operation that is sent, and the answer to it. Beyond a limit first, then just within it. */
export const cases = {
  'a page as it should be': ['debtors', () => ok(page(rows(100, ',"remark":"text"')))],

  'a 4xx with a message of 5 MB': ['debtors', () => failed(400, message(filled(5 * MEGABYTE, 'text ')))],
  'a 4xx with a message of 30 MB': ['debtors', () => failed(400, message(filled(30 * MEGABYTE, 'text ')))],
  'a 4xx with a message of 30 MB of %41': [
    'debtors',
    () => failed(400, message(filled(30 * MEGABYTE, '%41 '))),
  ],
  'a 4xx with 450,000 members': ['debtors', () => failed(400, `{${list(450_000, (n) => `"m${n}":1`)}}`)],
  'a 4xx with a message of 60 kB': ['debtors', () => failed(400, message(filled(60_000, 'text ')))],
  'a 4xx with a message of 60 kB of %41': ['debtors', () => failed(400, message(filled(60_000, '%41 ')))],
  'a 500 of 30 MB': ['debtors', () => failed(500, message(filled(30 * MEGABYTE, 'text ')))],
  'a Retry-After of 400 digits': ['debtors', () => failed(429, '{}', { 'retry-after': '9'.repeat(400) })],

  '160,000 rows': ['debtors', () => ok(page(rows(160_000)))],
  '20,000 rows': ['debtors', () => ok(page(rows(20_000)))],
  '20,000 equal rows': ['debtors', () => ok(page(list(20_000, () => row('1'))))],
  '90,000 rows that are none': ['debtors', () => ok(page(list(90_000, () => '1')))],
  '490,000 empty objects': ['debtors', () => ok(page(list(490_000, () => '{}')))],
  '240,000 labels in one row': ['debtors', () => ok(page(row('1', `,"labels":[${labels(240_000)}]`)))],
  '45,000 labels in one row': ['debtors', () => ok(page(row('1', `,"labels":[${labels(45_000)}]`)))],
  '490,000 numbers': ['debtors', () => field(`[${list(490_000, () => '1')}]`)],
  '490,000 keys': ['debtors', () => field(`{${list(490_000, (n) => `"key${n}":1`)}}`)],
  '95,000 keys': ['debtors', () => field(`{${list(95_000, (n) => `"key${n}":1`)}}`)],
  '490,000 levels': ['debtors', () => field('['.repeat(490_000) + ']'.repeat(490_000))],
  '95,000 levels': ['debtors', () => field('['.repeat(95_000) + ']'.repeat(95_000))],

  '30 MB of invalid UTF-8': ['debtors', () => invalidUtf8(30 * MEGABYTE)],
  '190 kB of invalid UTF-8': ['debtors', () => invalidUtf8(190_000)],
  'one value of 31 MB': ['debtors', () => field(text(31 * MEGABYTE, 'text '))],
  'one value of 0.9 MB': ['debtors', () => field(text(900_000, 'text '))],
  'one value of 0.9 MB of \\u escapes': ['debtors', () => field(text(900_000, '\\u00eb'))],
  'eight values of 0.9 MB': ['debtors', () => ok(page(rows(8, `,"remark":${text(900_000, 'text ')}`)))],
  'eight values of 0.9 MB of two bytes': [
    'debtors',
    () => ok(page(rows(8, `,"remark":${text(450_000, 'ë')}`))),
  ],
  'eight values of 0.9 MB of \\u escapes': [
    'debtors',
    () => ok(page(rows(8, `,"remark":${text(900_000, '\\u20ac')}`))),
  ],
  'eight values of 0.9 MB of \\n escapes': [
    'debtors',
    () => ok(page(rows(8, `,"remark":${text(900_000, '\\n')}`))),
  ],
  'a date of 0.9 MB': ['debtors', () => ok(page(row('1', `,"updated_at":${text(900_000, '2')}`)))],
  'one key of 30 MB': ['debtors', () => ok(page(row('1', `,${text(30 * MEGABYTE, 'key')}:1`)))],
  'an id of 30 MB': ['debtors', () => ok(page(row(filled(30 * MEGABYTE, 'id'))))],
  'an id of 0.9 MB': ['debtors', () => ok(page(row(filled(900_000, 'id'))))],
  '8 ids of 0.9 MB': ['debtors', () => ok(page(list(8, (n) => row(n + filled(900_000, 'id')))))],
  'a cursor of 0.9 MB': [
    'debtors',
    () => ok(`{"data":[${row('1')}],"pagination":{"cursor":${text(900_000, 'c')}}}`),
  ],
  'a number of 7 MB': ['debtors', () => field(filled(7 * MEGABYTE, '123'))],
  '30 MB of white space': ['debtors', () => ok(`{"data":[${filled(30 * MEGABYTE, ' ')}]}`)],
  '7.9 MB of white space': ['debtors', () => ok(`{"data":[${filled(7.9 * MEGABYTE, ' ')}]}`)],
  'chunks of one byte, 7 MB': ['debtors', () => ({ ...ok(page(filled(7 * MEGABYTE, ' '))), chunk: 1 })],

  'an introspection of 240,000 administrations': ['viewer', () => ok(introspection(240_000))],
  'an introspection of 45,000 administrations': ['viewer', () => ok(introspection(45_000))],
  'an introspection with a scope of 30 MB': [
    'viewer',
    () => ok(`{"active":true,"scope":${text(30 * MEGABYTE, 'a ')}}`),
  ],
  'an introspection with a scope of 0.9 MB': [
    'viewer',
    () => ok(`{"active":true,"scope":${text(900_000, 'a ')}}`),
  ],
  'a result of 400,000 messages': ['messages', () => ok(result(400_000))],
  'a result of 90,000 messages': ['messages', () => ok(result(90_000))],
  'a token of 30 MB': ['token', () => ok(`{"access_token":${text(30 * MEGABYTE, 't')}}`)],
  'a token of 0.9 MB': ['token', () => ok(`{"access_token":${text(900_000, 't')}}`)],
};

function text(bytes, unit) {
  return `"${filled(bytes, unit)}"`;
}

function labels(count) {
  return list(count, () => '{"name":"a"}');
}

function introspection(count) {
  return `{"active":true,"administrations":[${list(count, (n) => `{"id":"${n}"}`)}]}`;
}

function result(count) {
  return `{"success":true,"count":1,"errors":{${list(count, (n) => `"${n}":"x"`)}}}`;
}

function invalidUtf8(bytes) {
  const start = Buffer.from(page(row('1', ',"remark":"')).slice(0, -3));
  return {
    status: 200,
    headers: JSON_TYPE,
    body: Buffer.concat([start, Buffer.alloc(bytes, 0xff), Buffer.from('"}]}')]),
  };
}
