import type { Latin1 } from '../rest/latin1.ts';
import { builder } from './builder.ts';

export interface AddressRow {
  readonly city: Latin1;
  readonly country_code: Latin1;
  readonly postal_code?: Latin1 | null;
  readonly region?: Latin1 | null;
  readonly street_1?: Latin1 | null;
  readonly street_2?: Latin1 | null;
}

export const Address = builder.objectRef<AddressRow>('Address').implement({
  description: 'A postal address.',
  fields: (t) => ({
    city: t.exposeString('city', { nullable: false, description: 'City.' }),
    countryCode: t.exposeString('country_code', {
      nullable: false,
      description: 'Country, two letters of ISO 3166.',
    }),
    postalCode: t.exposeString('postal_code', { description: 'Postal code.' }),
    region: t.exposeString('region', { description: 'Region.' }),
    street1: t.exposeString('street_1', { description: 'Street and house number.' }),
    street2: t.exposeString('street_2', { description: 'Further details of the address.' }),
  }),
});
