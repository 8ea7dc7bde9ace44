import { type GatewayPlugin, mapResults } from '../../request/context.ts';
import { reportSingle } from '../../response/errors.ts';
import type { Log } from '../../telemetry/log.ts';

/** Converts every error, and logs unexpected ones. It stands behind plugins of users, whose errors are converted too. */
export function usePublicErrors(log: Log): GatewayPlugin {
  return {
    onResultProcess({ result, serverContext }) {
      if (Symbol.asyncIterator in result) return;
      mapResults(result, serverContext, (one, context) => {
        const errors = reportSingle(one, context, log);
        if (errors) context.publicErrors = errors;
      });
    },
  };
}
