import type { OpenChanges } from '../../changes/change.ts';
import type { Collation } from '../../lists/text.ts';
import type { RestSession } from '../../rest/session.ts';
import type { ListConnection } from './cursor.ts';
import type { OperationLoaders } from './loaders.ts';

/** What resolvers read of their operation. */
export interface Reads {
  readonly rest: RestSession;
  readonly loaders: OperationLoaders;
  readonly maxFirst: number;
  readonly collation: Collation;
  /** For subscriptions alone. */
  readonly changes: OpenChanges;
  /** For exports alone: told of each list that is read. */
  readonly onList?: (list: Promise<ListConnection>) => void;
}

export interface Context {
  readonly reads: Reads;
}
