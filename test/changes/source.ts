import { defineResource } from '../../src/rest/resource.ts';

/** Changes of a resource of which tests need nothing but its names. */
export const source = {
  kind: 'DEBTOR_CHANGED',
  resource: defineResource({
    name: 'debtors',
    type: 'Debtor',
    path: '/v1/debtors',
    credential: 'bearer',
    requiredFields: ['id'],
    takesFields: true,
    filters: {},
  }),
  filter: 'updatedAfter',
  stamp: 'updated_at',
} as const;
