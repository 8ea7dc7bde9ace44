import { assumed } from '../rest/resource.ts';
import { builder } from './builder.ts';

/** The filters of all lists of deleted records. */
export const DELETED_FILTERS = {
  administrationId: assumed('administration_id'),
  deletedAfter: assumed('deleted_after'),
  deletedBefore: assumed('deleted_before'),
};

export const deletedArguments = builder.args((t) => ({
  deletedAfter: t.field({ type: 'DateTime', description: 'Only those deleted after this moment.' }),
  deletedBefore: t.field({ type: 'DateTime', description: 'Only those deleted before this moment.' }),
}));

export const DELETED_AT = { type: 'DateTime', description: 'When it was deleted.' } as const;

/** How deletions are found. */
export const DELETION = {
  filter: 'deletedAfter',
  stamp: 'deleted_at',
  retentionMs: 90 * 86_400_000,
} as const;
