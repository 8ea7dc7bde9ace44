import { expect, test } from 'vitest';
import { InvalidValue, RestError } from '../../src/rest/errors.ts';
import { fieldsParameter } from '../../src/rest/fields.ts';
import { readBody } from '../../src/rest/page-body.ts';
import { defineResource } from '../../src/rest/resource.ts';
import { rowMaker } from '../../src/rest/rows.ts';
import { amount, flag, id, int, moment, object, oneOf, seconds, text } from '../../src/rest/values.ts';

const address = { city: text.required('City.'), street1: text.optional('Street.') };
const members = {
  internalId: id.required('Id.', 'id'),
  administrationId: id.optional('Administration.'),
  name: text.optional('Name.'),
  openAmount: amount.optional('Amount.'),
  updatedAt: moment.optional('Moment.'),
  paymentBehaviour: int.optional('Number.'),
  createdAt: seconds.optional('Seconds.'),
  peppolEnabled: flag.optional('Flag.'),
  claimStatus: oneOf('ClaimStatus', ['DRAFT', 'CLEANED_UP']).optional('Status.'),
  postalAddress: object('Address', address).optional('Address.'),
  addresses: object('Address', address).list('Addresses.'),
  codes: text.list('Codes.'),
};
const INVALID = expect.any(InvalidValue);

test.each<[keyof typeof members, string, unknown, unknown]>([
  ['name', 'name', 'Jansen', 'Jansen'],
  ['name', 'name', '', ''],
  ['name', 'name', null, null],
  ['name', 'name', 7, INVALID],
  ['name', 'name', ['x'], INVALID],
  ['name', 'name', { a: 1 }, INVALID],
  ['openAmount', 'open_amount', '12.50', '12.50'],
  ['openAmount', 'open_amount', 12.5, INVALID],
  ['updatedAt', 'updated_at', '2024-05-01T00:00:00Z', '2024-05-01T00:00:00Z'],
  ['paymentBehaviour', 'payment_behaviour', 30, 30],
  ['paymentBehaviour', 'payment_behaviour', 2 ** 31, INVALID],
  ['paymentBehaviour', 'payment_behaviour', 1.5, INVALID],
  ['paymentBehaviour', 'payment_behaviour', '30', INVALID],
  ['createdAt', 'created_at', 2 ** 40, 2 ** 40],
  ['peppolEnabled', 'peppol_enabled', false, false],
  ['peppolEnabled', 'peppol_enabled', 0, INVALID],
  ['claimStatus', 'claim_status', 'cleaned_up', 'CLEANED_UP'],
  ['claimStatus', 'claim_status', 'CLEANED_UP', INVALID],
  ['claimStatus', 'claim_status', 'unheard_of', INVALID],
  ['postalAddress', 'postal_address', 'Sneek', INVALID],
  ['postalAddress', 'postal_address', null, null],
  ['addresses', 'addresses', 'Sneek', INVALID],
  ['codes', 'codes', ['a', null, 3], ['a', null, INVALID]],
])('%s of %s: %j is %j', (name, restName, sent, made) => {
  expect(rowMaker(members, { [name]: {} })({ [restName]: sent })).toEqual({ [name]: made });
});

test('what was not selected is not copied, and what was not sent is null', () => {
  const fields = { name: {}, postalAddress: { city: {}, street1: {} }, addresses: { city: {} } };
  const sent = {
    secret: 'x',
    postal_address: { city: 'Sneek', region: 'x' },
    addresses: [{ city: 1, street_1: 'x' }],
  };
  expect(rowMaker(members, fields)(sent)).toEqual({
    name: null,
    postalAddress: { city: 'Sneek', street1: null },
    addresses: [{ city: INVALID }],
  });
});

test('the service is asked by its own names, those of objects inside of an object', () => {
  const fields = { internalId: {}, updatedAt: {}, postalAddress: { city: {}, street1: {} } };
  expect(fieldsParameter(members, fields)).toBe(
    '{"only":["id","updated_at",{"postal_address":["city","street_1"]}]}',
  );
});

const resource = defineResource({
  name: 'things',
  type: 'Thing',
  path: '/things',
  credential: 'bearer',
  takesFields: true,
  members,
  filters: {},
});
const fields = { internalId: {}, administrationId: {} };
const read = (data: readonly unknown[], pagination?: unknown) =>
  readBody({ body: { data, pagination }, date: undefined, bytes: 9 }, resource, {
    fields,
    administrationId: '1',
    sentAt: 0,
  });
const own = { internalId: 'a', administrationId: '1' };
const FAULT = expect.any(RestError);

test.each<[string, unknown, unknown, object]>([
  ['no administration', { id: 'b' }, { internalId: 'b', administrationId: '1' }, {}],
  ['another administration', { id: 'b', administration_id: '2' }, FAULT, { isBroken: true, foreign: FAULT }],
  ['an administration that is a number', { id: 'b', administration_id: 1 }, FAULT, { isBroken: true }],
  ['no id', { administration_id: '1' }, FAULT, { isBroken: true }],
  ['an empty id', { id: '', administration_id: '1' }, FAULT, { isBroken: true }],
  ['an id that is too long to be sent', { id: 'x'.repeat(1001) }, FAULT, { isBroken: true }],
  ['an id that is a number', { id: 7, administration_id: '1' }, FAULT, { isBroken: true }],
  ['null', null, FAULT, { isBroken: true }],
  ['a list', [own], FAULT, { isBroken: true }],
])('a row with %s stays in its place', (_what, row, expected, faults) => {
  const sent = { id: 'a', administration_id: '1' };
  expect(read([sent, row, sent, { ...sent, id: 'c' }])).toEqual({
    rows: [own, expected, { ...own, internalId: 'c' }],
    bytes: 9,
    sentAt: 0,
    ...faults,
  });
});

test.each([
  ['no list of records', { data: {} }, undefined],
  ['an empty page that says more follow', { data: [] }, { cursor: 'x' }],
  ['an unreadable cursor', { data: [{ id: 'a' }] }, { cursor: 7 }],
])('%s is refused', (_what, { data }, pagination) => {
  const body = { data, pagination };
  expect(() =>
    readBody({ body, date: undefined, bytes: 9 }, resource, { fields, administrationId: '1', sentAt: 0 }),
  ).toThrow(RestError);
});
