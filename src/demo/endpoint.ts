import type { DemoRequest } from './http.ts';
import type { World } from './world.ts';

export interface Endpoint {
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** `{id}` stands for one segment, which is handed over decoded. */
  readonly path: string;
  /** Gives the body of a 200, or throws a Refusal. */
  handle(request: DemoRequest, world: World, id: string): unknown;
}
