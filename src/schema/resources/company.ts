import { flag, text } from '../../rest/values.ts';
import { UNEXPLAINED } from '../fields/builder.ts';
import { recordIds } from '../fields/node.ts';
import { recordType } from '../fields/record-type.ts';

export const company = {
  ...recordIds('Company'),
  name: text.optional('Name.'),
  status: text.optional('Status. `active` is the only value that the REST service documents.'),
  trial: flag.optional(`Trial flag. ${UNEXPLAINED}`),
  trialEndsOn: text.optional('When the trial ends, as text.'),
};

export const Company = recordType('Company', company, {
  description:
    'A company: one that is connected to the calling application, or the one that a token was granted for.',
});
