import { afterAll, beforeEach } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { createGateway, type Gateway, type GatewayOptions, readConfig } from '../../src/index.ts';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly details: unknown;
}

export interface LibraryGateway {
  readonly gateway: Gateway;
  readonly rest: DemoService;
  readonly log: LogLine[];
  calls(): string[];
  close(): Promise<void>;
}

export type Options = Partial<GatewayOptions>;
export type Environment = Readonly<Record<string, string>>;
export type Host = NonNullable<Parameters<typeof createGateway>[1]>;

/** Serves the tests of one file; each test starts with an empty log. */
export async function useLibrary(options?: Options, env?: Environment, host?: Host): Promise<LibraryGateway> {
  const library = await startLibrary(options, env, host);
  const { rest, log, close } = library;
  beforeEach(() => {
    rest.behave();
    rest.calls.length = 0;
    log.length = 0;
  });
  afterAll(close);
  return library;
}

/** Creates a gateway with the settings of an environment; unset ones have their defaults. */
export async function startLibrary(
  options: Options = {},
  env: Environment = {},
  host: Host = {},
): Promise<LibraryGateway> {
  const rest = await startDemoService();
  // Generate now, so that this takes no time from a deadline of a test.
  void rest.data.debtors;
  const log: LogLine[] = [];
  const gateway = createGateway(
    {
      ...readConfig(env),
      restUrl: new URL(rest.url),
      application: demoCredentials.application,
      log: (level, message, details) => void log.push({ level, message, details }),
      ...options,
    },
    host,
  );
  return {
    gateway,
    rest,
    log,
    calls: () => rest.calls.map(({ method, path }) => `${method} ${path}`),
    async close() {
      await gateway.dispose();
      await rest.close();
    },
  };
}

export interface ReadResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: {
    readonly data?: unknown;
    readonly errors?: readonly ReadError[];
    readonly extensions?: { readonly [name: string]: unknown };
  };
}

export interface ReadError {
  readonly message: string;
  readonly extensions: { readonly code: string; readonly [name: string]: unknown };
}

export async function read(response: Response): Promise<ReadResponse> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, body: parse(text) };
}

/** A framework's own refusal may not be JSON. */
function parse(text: string): ReadResponse['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

export function codesIn({ body: { errors = [] } }: Pick<ReadResponse, 'body'>): string[] {
  return errors.map(({ extensions }) => extensions.code);
}
