import { defineResource } from '../../rest/resource.ts';
import { exposeList } from '../fields/connection.ts';
import { Company } from './company.ts';

const companies = defineResource({
  name: 'companies',
  type: 'Company',
  path: '/v1/companies',
  credential: 'basic',
  takesFields: true,
  requiredFields: ['id'],
  filters: {},
});

exposeList(companies, Company, {
  description:
    'The companies connected to the calling application. Only active connections count. Needs Basic credentials.',
  filters: {},
});
