import type { Resource } from '../../rest/resource.ts';
import { exposeList } from '../fields/connection.ts';
import { membersOf } from '../fields/record-type.ts';
import { Company, company } from './company.ts';

const companies: Resource = {
  name: 'companies',
  type: 'Company',
  path: '/v1/companies',
  credential: 'basic',
  takesFields: true,
  members: membersOf(company),
  filters: {},
};

exposeList(
  companies,
  Company,
  'The companies connected to the calling application. Only active connections count. Needs Basic credentials.',
);
