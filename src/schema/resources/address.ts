import { recordRef } from '../fields/builder.ts';

export interface AddressRow {
  readonly city: string;
  readonly country_code: string;
  readonly postal_code?: string | null;
  readonly region?: string | null;
  readonly street_1?: string | null;
  readonly street_2?: string | null;
}

export const Address = recordRef<AddressRow>('Address').implement({
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
