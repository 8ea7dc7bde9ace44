import { defineResource } from '../../src/rest/resource.ts';
import { id } from '../../src/rest/values.ts';

/** Changes of a resource of which tests need nothing but its names. */
export const source = {
  kind: 'DEBTOR_CHANGED',
  resource: defineResource({
    name: 'debtors',
    type: 'Debtor',
    path: '/v1/debtors',
    credential: 'bearer',
    members: { internalId: id.required('Id.', 'id') },
    takesFields: true,
    filters: {},
  }),
  filter: 'updatedAfter',
  stamp: 'updated_at',
} as const;
