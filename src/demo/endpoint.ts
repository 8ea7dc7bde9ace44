import type { DemoRequest } from './http.ts';
import type { World } from './world.ts';

export interface Endpoint {
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** `{id}` matches one segment, which is passed to `handle` decoded. */
  readonly path: string;
  /** Returns the body of a 200, or throws an HttpError. */
  handle(request: DemoRequest, world: World, id: string): unknown;
}
