/** Replaces a regular response: JSON with status 200, unless it says otherwise. */
export interface OtherResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  contentType?: string;
}

/** A fault injected into the next matching calls, `times` times (once by default). */
export type Fault = {
  match?: { method?: string; path?: string | RegExp; authorization?: string };
  times?: number;
} & (
  | { kind: 'delay'; milliseconds: number }
  /** A response that is computed at once but sent later, when it may be stale. */
  | { kind: 'stale'; until: Promise<unknown> }
  | ({ kind: 'status'; status: number } & OtherResponse)
  | ({ kind: 'body'; body: string | Buffer } & OtherResponse)
  | { kind: 'reset' }
  | { kind: 'truncate' }
  | { kind: 'hang' }
  | { kind: 'drip'; milliseconds: number }
  | { kind: 'rewrite'; rewrite: (body: unknown) => unknown }
);
