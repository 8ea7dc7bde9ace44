import { createTokenStore, type TokenStore } from './applications.ts';
import { type DemoData, generateData } from './data/generate.ts';
import type { DemoRequest } from './http.ts';

/** The lists whose parameter names the description does not specify. */
export type RenameableList = 'declarationLines' | 'deletedCreditCases' | 'deletedPayments';

export interface WorldOptions {
  /** The clock in milliseconds. */
  now?: () => number;
  /** Other parameter names for a list, by their default names. */
  parameterNames?: Partial<Record<RenameableList, Readonly<Record<string, string>>>>;
  unknownParameters?: 'refuse' | 'ignore';
  /** Pages have no more rows, whatever is asked for. */
  maxPerPage?: number;
  /** By default it is generated. */
  data?: DemoData;
}

/** The state shared by all endpoints. */
export interface World extends Readonly<Required<WorldOptions>> {
  readonly tokens: TokenStore;
}

export function createWorld(options: WorldOptions): World {
  const { now = Date.now, parameterNames = {}, unknownParameters = 'refuse', maxPerPage = 500 } = options;
  const { data = generateData(now()) } = options;
  return { now, parameterNames, unknownParameters, maxPerPage, data, tokens: createTokenStore(now) };
}

export interface Endpoint {
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** `{id}` matches one segment, which is passed to `handle` decoded. */
  readonly path: string;
  /** Returns the body of a 200, or throws an HttpError. */
  handle(request: DemoRequest, world: World, id: string): unknown;
}
