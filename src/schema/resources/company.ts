import { UNEXPLAINED } from '../fields/builder.ts';
import { recordType } from '../fields/record-type.ts';

export const Company = recordType('Company', {
  description:
    'A company: one that is connected to the calling application, or the one that a token was granted for.',
  fields: (t) => ({
    ...t.ids('Company'),
    name: t.text('Name.'),
    status: t.text('Status. `active` is the only value that the REST service documents.'),
    trial: t.flag(`Trial flag. ${UNEXPLAINED}`),
    trialEndsOn: t.text('When the trial ends, as text.'),
  }),
});
