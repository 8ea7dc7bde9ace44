import type { OpenChanges } from '../../changes/change.ts';
import type { Collation } from '../../lists/text.ts';
import type { RestSession } from '../../rest/session.ts';
import type { ListConnection } from './cursor.ts';
import type { OperationLoaders } from './loaders.ts';

export interface DataSource {
  readonly session: RestSession;
  readonly loaders: OperationLoaders;
  readonly maxFirst: number;
  readonly collation: Collation;
  /** Used by subscriptions only. */
  readonly changes: OpenChanges;
  /** Called with each list that is read. Used by exports only. */
  readonly onList?: (list: Promise<ListConnection>) => void;
}

export interface Context {
  readonly dataSource: DataSource;
}
