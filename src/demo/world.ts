import { createTokenStore, type TokenStore } from './applications.ts';
import { type DemoData, generateData } from './data/generate.ts';
import type { DemoRequest } from './http.ts';

export interface WorldOptions {
  /** The clock in milliseconds. */
  now?: () => number;
  unknownParameters?: 'refuse' | 'ignore';
  /** By default it is generated. */
  data?: DemoData;
  /** Told each time that somebody asks what has changed since a moment. */
  onChangesAsked?: () => void;
}

/** The state shared by all endpoints. */
export interface World extends Readonly<Required<WorldOptions>> {
  readonly tokens: TokenStore;
}

export function createWorld({ now = Date.now, data = generateData(now()), ...options }: WorldOptions): World {
  const tokens = createTokenStore(now);
  return { unknownParameters: 'refuse', onChangesAsked() {}, ...options, now, data, tokens };
}

/** Returns the body of a 200, or throws an HttpError. */
export type Handler = (request: DemoRequest, world: World, id: string) => unknown;
