import type { Change, ChangeSource } from '../../changes/change.ts';
import { markDerived } from '../../execution/plan.ts';
import { badInput } from '../../rest/errors.ts';
import type { Resource } from '../../rest/resource.ts';
import { enumOf, id, text, timestamp } from '../../rest/values.ts';
import { administrationArgument } from './administration.ts';
import { builder, toConstantCase } from './builder.ts';
import { getSelection } from './metadata.ts';
import { administrationId } from './node.ts';
import { buildFields, type RecordRef } from './record-type.ts';

const noKinds: readonly string[] = [];
/** `exposeChanges` adds the values. */
const ChangeKind = builder.enumType('ChangeKind', {
  description: 'The kinds of changes to a record.',
  values: noKinds,
});

/** Maps each kind to its source and the GraphQL type of its events. */
const kinds = new Map<string, { readonly source: ChangeSource; readonly type: string }>();

const ChangeInterface = builder.interfaceRef<Change>('Change').implement({
  description: 'A change, with the latest state of its record. A stream sends it once.',
  resolveType: ({ kind }) => kinds.get(kind)?.type,
  fields: (t) =>
    buildFields(t, {
      eventId: id.required(
        'Identifies the change. If it is sent again after you resume a stream, it has the same id. To find repeats, ' +
          'compare it with the id of the last event of the same record.',
      ),
      cursor: text.required('Pass it to another stream as `after` to resume after this event.'),
      kind: enumOf('ChangeKind', []).required('The kind of change.'),
      administrationId: id.required('Internal id of the administration.'),
      seenAt: timestamp.required('When the gateway detected the change.'),
    }),
});

/** Adds a kind of change to `Subscription.changes`. The event `DebtorChanged` has the kind `DEBTOR_CHANGED`. */
export function exposeChanges(
  resource: Resource,
  type: RecordRef,
  options: Omit<ChangeSource, 'resource' | 'kind'> & {
    /** The GraphQL type of the events. Its field for the record has the name of the record's type. */
    readonly event: string;
    readonly description: string;
    readonly note?: string;
  },
): void {
  const { event, description, note, ...sourceOptions } = options;
  const kind = toConstantCase(event);
  const { cursorKey } = options;
  if (Array.from(kinds.values()).some(({ source }) => source.cursorKey === cursorKey))
    throw new TypeError(`${kind} has the cursorKey '${cursorKey}' of another kind.`);
  kinds.set(kind, { type: event, source: { ...sourceOptions, kind, resource } });
  ChangeKind.updateConfig((config) => ({
    ...config,
    values: { ...config.values, [kind]: { value: kind, description } },
  }));
  builder.objectRef<Change>(event).implement({
    description: note === undefined ? description : `${description} ${note}`,
    interfaces: [ChangeInterface],
    fields: (t) => ({
      [type.name.charAt(0).toLowerCase() + type.name.slice(1)]: t.field({
        type,
        nullable: false,
        description: 'The record in its latest state.',
        resolve: markDerived(({ record }: Change) => record),
      }),
    }),
  });
}

builder.subscriptionType({
  description:
    'Events as they happen, over Server-Sent Events or multipart/mixed. Each field says which credential it needs.',
});

builder.subscriptionField('changes', (t) =>
  t.field({
    type: ChangeInterface,
    nullable: false,
    description:
      'The changes of an administration as they happen. Each is sent at least once, with the latest state of its ' +
      'record. Changes of different records come in any order. The stream starts now, unless you give `since` or ' +
      '`after`. Needs a Bearer token.',
    args: {
      ...administrationArgument,
      kinds: t.arg({ type: [ChangeKind], description: 'Only these kinds. By default, all kinds.' }),
      since: t.arg({ type: 'DateTime', description: 'Start with what changed after this moment.' }),
      after: t.arg.string({ description: 'Resume after the event with this cursor.' }),
    },
    subscribe: (_root, { administrationId: id, kinds: only, since, after }, { dataSource }, info) => {
      if (only?.length === 0) throw badInput('`kinds` is empty. Name at least one, or omit the argument.');
      return dataSource.changes({
        administrationId: administrationId(id),
        kinds: Array.from(kinds.values())
          .filter(({ source }) => !only || only.includes(source.kind))
          .map(({ source, type }) => ({ source, fields: getSelection(info, type) })),
        since: since ?? undefined,
        after: after ?? undefined,
      });
    },
    resolve: (change) => {
      if (change instanceof Error) throw change;
      return change;
    },
  }),
);
