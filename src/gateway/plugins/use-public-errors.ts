import type { GatewayPlugin } from '../../request/context.ts';
import { reportSingle } from '../../response/errors.ts';
import type { Log } from '../../telemetry/log.ts';

/**
 * Converts every error that is sent to a client, observes its code, and logs the cause of an unexpected one. It stands
 * behind the plugins of users, since their errors are converted too.
 */
export function usePublicErrors(log: Log): GatewayPlugin {
  return {
    onResultProcess({ result, serverContext }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      const errors = reportSingle(result, serverContext, log);
      if (errors) serverContext.publicErrors = errors;
    },
  };
}
