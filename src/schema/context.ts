import type { Budget } from '../execution/budget.ts';
import type { RestSession } from '../rest/session.ts';
import type { Assumptions, JoinKeyLengths } from './assumptions.ts';

/** What a resolver knows of its operation. */
export interface Context {
  readonly rest: RestSession;
  /** The DataLoaders of the operation. */
  readonly loaders: { [loader: symbol]: object };
  /** The most rows that one list may ask for. */
  readonly maxFirst: number;
  /** What its estimate has taken for granted. */
  readonly assumptions: Assumptions;
  readonly joinKeyLengths: JoinKeyLengths;
  /** What its response may take. */
  readonly budget: Budget;
}
