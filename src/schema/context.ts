import type { Budget } from '../execution/budget.ts';
import type { RestSession } from '../rest/session.ts';
import type { Assumptions } from './assumptions.ts';

/** The context value of resolvers. */
export interface Context {
  readonly rest: RestSession;
  /** The DataLoaders of the operation. */
  readonly loaders: { [loader: symbol]: object };
  /** The maximum of `first`. */
  readonly maxFirst: number;
  /** What the estimate of the operation assumed. */
  readonly assumptions: Assumptions;
  /** The size limits of its response. */
  readonly budget: Budget;
}
