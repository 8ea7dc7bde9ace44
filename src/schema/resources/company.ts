import type { Resource } from '../../rest/resource.ts';
import { boolean, text } from '../../rest/values.ts';
import { UNEXPLAINED } from '../fields/builder.ts';
import { exposeList } from '../fields/connection.ts';
import { recordIds } from '../fields/node.ts';
import { getMembers, recordType } from '../fields/record-type.ts';

const company = {
  ...recordIds('Company'),
  name: text.optional('Name.'),
  status: text.optional('Status. `active` is the only value that the REST service documents.'),
  trial: boolean.optional(`Trial flag. ${UNEXPLAINED}`),
  trialEndsOn: text.optional('When the trial ends, as text.'),
};

const Company = recordType('Company', company, {
  description:
    'A company: one that is connected to the calling application, or the one that a token was granted for.',
});

const companies: Resource = {
  name: 'companies',
  type: 'Company',
  path: '/v1/companies',
  credential: 'basic',
  takesFields: true,
  members: getMembers(company),
  filters: {},
};

exposeList(
  companies,
  Company,
  'The companies connected to the calling application. Only active connections count. Needs Basic credentials.',
);
