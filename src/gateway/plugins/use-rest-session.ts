import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { createSession, type SessionOptions } from '../../request/rest-sessions.ts';

/** Gives an operation access to the REST service with its caller's credentials, and limits of time and memory. */
export function useRestSession(options: SessionOptions): GatewayPlugin {
  return {
    onRequestParse({ serverContext }) {
      startSession(serverContext, options);
    },
  };
}

export function startSession(context: GatewayContext, options: SessionOptions): void {
  const { requestTimeoutMs, exportTimeoutMs } = options;
  const { cancellation, observed, endings } = context;
  if (context.exported) cancellation.abortAfter(exportTimeoutMs, 'EXPORT_TIMEOUT_MS');
  else cancellation.abortAfter(requestTimeoutMs, 'REQUEST_TIMEOUT_MS');
  const session = createSession(options, context);
  Object.assign(context, session);
  endings.push(() => {
    session.holding.release();
    const { calls, busy } = session.rest;
    observed.addCalls(calls, busy.total(performance.now()));
  });
}
