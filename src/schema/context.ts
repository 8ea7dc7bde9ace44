import type { OpenChanges } from '../changes/change.ts';
import type { Budget } from '../execution/budget.ts';
import type { Sequence } from '../lists/sequence.ts';
import type { TextRules } from '../lists/text-rules.ts';
import type { RestSession } from '../rest/session.ts';

/** The context value of resolvers. */
export interface Context {
  readonly rest: RestSession;
  /** The DataLoaders of the operation. */
  readonly loaders: { [loader: symbol]: object };
  /** The maximum of `first`. */
  readonly maxFirst: number;
  /** How texts are compared. */
  readonly textRules: TextRules;
  /** For work on whole lists. */
  readonly sequence: Sequence;
  /** For subscriptions alone. */
  readonly changes: OpenChanges;
  /** The size limits of its response. */
  readonly budget: Budget;
}
