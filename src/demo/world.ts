import { type DemoData, generateData } from './data/generate.ts';
import { createTokenStore, type TokenStore } from './tokens.ts';

/** The lists whose parameter names the description does not specify. */
export type RenameableList = 'declarationLines' | 'deletedCreditCases' | 'deletedPayments';

export interface WorldOptions {
  /** The clock in milliseconds. */
  now?: () => number;
  /** Other parameter names for a list, by their default names. */
  parameterNames?: Partial<Record<RenameableList, Readonly<Record<string, string>>>>;
  unknownParameters?: 'refuse' | 'ignore';
}

/** The state shared by all endpoints. */
export interface World extends Readonly<Required<WorldOptions>> {
  readonly data: DemoData;
  readonly tokens: TokenStore;
}

export function createWorld(options: WorldOptions): World {
  const { now = Date.now, parameterNames = {}, unknownParameters = 'refuse' } = options;
  return { now, parameterNames, unknownParameters, data: generateData(now()), tokens: createTokenStore(now) };
}
