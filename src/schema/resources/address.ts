import { recordType } from '../fields/record-type.ts';

export const Address = recordType('Address', {
  description: 'A postal address.',
  fields: (t) => ({
    city: t.required.text('City.'),
    countryCode: t.required.text('Country, two letters of ISO 3166.'),
    postalCode: t.text('Postal code.'),
    region: t.text('Region.'),
    street1: t.text('Street and house number.'),
    street2: t.text('Further details of the address.'),
  }),
});
