import { recordRef, UNEXPLAINED } from '../fields/builder.ts';
import { globalId, INTERNAL_ID } from '../fields/node.ts';

export interface CompanyRow {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly status?: string | null;
  readonly trial?: boolean | null;
  readonly trial_ends_on?: string | null;
}

export const Company = recordRef<CompanyRow>('Company').implement({
  description:
    'A company: one that is connected to the calling application, or the one that a token was granted for.',
  fields: (t) => ({
    id: t.id(globalId('Company')),
    internalId: t.exposeID('id', INTERNAL_ID),
    name: t.exposeString('name', { description: 'Name.' }),
    status: t.exposeString('status', {
      description: 'Status. `active` is the only value that the REST service documents.',
    }),
    trial: t.exposeBoolean('trial', { description: `Trial flag. ${UNEXPLAINED}` }),
    trialEndsOn: t.exposeString('trial_ends_on', { description: 'When the trial ends, as text.' }),
  }),
});
