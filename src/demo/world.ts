import { type DemoData, generateData } from './data/generate.ts';
import { createTokenStore, type TokenStore } from './tokens.ts';

/** The lists whose parameter names the description does not show. */
export type RenameableList = 'declarationLines' | 'deletedCreditCases' | 'deletedPayments';

export interface WorldOptions {
  /** The clock in milliseconds. */
  now?: () => number;
  /** Other names for the parameters of a list, by the names that are otherwise assumed. */
  parameterNames?: Partial<Record<RenameableList, Readonly<Record<string, string>>>>;
  unknownParameters?: 'refuse' | 'ignore';
}

/** All that the endpoints know and change. */
export interface World extends Readonly<Required<WorldOptions>> {
  readonly data: DemoData;
  readonly tokens: TokenStore;
}

export function createWorld(options: WorldOptions): World {
  const { now = Date.now, parameterNames = {}, unknownParameters = 'refuse' } = options;
  return { now, parameterNames, unknownParameters, data: generateData(now()), tokens: createTokenStore(now) };
}
