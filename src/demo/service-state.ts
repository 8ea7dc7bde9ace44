import { createTokenStore, type TokenStore } from './applications.ts';
import { type DemoData, generateData } from './data/generate.ts';
import type { DemoRequest } from './http.ts';

export interface ServiceStateOptions {
  /** The clock in milliseconds. */
  now?: () => number;
  unknownParameters?: 'reject' | 'ignore';
  /** Default: generated data. */
  data?: DemoData;
  /** Called when a client asks for changes since a timestamp. */
  onChangesAsked?: () => void;
}

/** The state shared by all endpoints. */
export interface ServiceState extends Readonly<Required<ServiceStateOptions>> {
  readonly tokens: TokenStore;
}

export function createServiceState({
  now = Date.now,
  data = generateData(now()),
  ...options
}: ServiceStateOptions): ServiceState {
  const tokens = createTokenStore(now);
  return { unknownParameters: 'reject', onChangesAsked() {}, ...options, now, data, tokens };
}

/** Returns the body of a 200, or throws an HttpError. */
export type Handler = (request: DemoRequest, state: ServiceState, id: string) => unknown;
