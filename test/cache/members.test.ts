import { describe, expect, test } from 'vitest';
import { mergeRecord } from '../../src/rest/cache/merge.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { debtor, freshCallers } from './support.ts';

const gateway = await useGateway({ gateway: { cacheTtlMs: 60_000 } });
const newCaller = await freshCallers(gateway);
const [first, second] = gateway.rest.data.debtors.filter(
  ({ administration_id }) => administration_id === ADMINISTRATION,
);

describe('a record read twice with different members of an object', () => {
  test('keeps the members of both reads', async () => {
    const caller = newCaller();
    const query = (text: string) => gateway.query(text, {}, caller);
    await query(`{ ${debtor(first?.id, 'postalAddress { city countryCode }')} }`);
    await query(
      `{ a: ${debtor(first?.id, 'postalAddress { street1 }')} b: ${debtor(second?.id, 'postalAddress { street1 }')} }`,
    );
    const { data, errors } = await query(
      `{ ${debtor(first?.id, 'postalAddress { city countryCode street1 }')} }`,
    );
    expect(errors).toBeUndefined();
    const { city, country_code, street_1 } = first?.postal_address ?? expect.fail('no address');
    expect(data).toEqual({
      debtor: { postalAddress: { city, countryCode: country_code, street1: street_1 } },
    });
    expect(gateway.calls()).toHaveLength(2);
  });
});

describe('merging what two calls read of a record', () => {
  const city = { id: {}, address: { city: {} } };
  const street = { id: {}, address: { street: {} } };

  test('takes an object by its members, and both masks', () => {
    expect(
      mergeRecord(
        { record: { internalId: '1', name: 'A', address: { city: 'X' } }, fields: { ...city, name: {} } },
        { record: { internalId: '1', address: { street: 'Y' } }, fields: street },
      ),
    ).toEqual({
      record: { internalId: '1', name: 'A', address: { city: 'X', street: 'Y' } },
      fields: { id: {}, name: {}, address: { city: {}, street: {} } },
    });
  });

  test.each([
    ['an object after a null', null, { street: 'Y' }],
    ['a null after an object', { city: 'X' }, null],
    ['a list, whose items cannot be told apart,', [{ city: 'X' }], [{ street: 'Y' }]],
  ])('takes %s as it was read last, with that mask alone', (_what, before, after) => {
    expect(
      mergeRecord(
        { record: { internalId: '1', address: before }, fields: city },
        { record: { internalId: '1', address: after }, fields: street },
      ),
    ).toEqual({ record: { internalId: '1', address: after }, fields: street });
  });

  test('holds no more of an object that was whole than was read last', () => {
    expect(
      mergeRecord(
        { record: { internalId: '1', address: { city: 'X', street: 'Z' } }, fields: { id: {}, address: {} } },
        { record: { internalId: '1', address: { street: 'Y' } }, fields: street },
      ),
    ).toEqual({ record: { internalId: '1', address: { street: 'Y' } }, fields: street });
  });
});
