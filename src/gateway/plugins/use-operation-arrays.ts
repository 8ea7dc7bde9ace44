import { badRequest } from '../../http/errors.ts';
import type { GatewayPlugin } from '../../request/context.ts';
import { Cancellation } from '../../rest/cancellation.ts';
import { type StartOptions, startSession, takePlace } from './use-operation.ts';

const NO_STREAMS = badRequest(
  'A plugin of this gateway answers this operation itself: send it alone, not in an array.',
);

/**
 * Gives each operation of an array a place, a session and a line in the log. Yoga runs them at the same time,
 * each with a context that inherits from that of the request, and what one of them throws is an error in its place.
 */
export function useOperationArrays(options: StartOptions): GatewayPlugin {
  return {
    onParams({ params, context, paramsHandler, setParamsHandler }) {
      const entry = context.array?.find((one) => one.params === params);
      if (entry === undefined) return;
      const { headers, requestId, cancellation: ofRequest } = context;
      const observed = options.telemetry.begin(headers, requestId);
      observed.isOperation = true;
      observed.isEntry = true;
      const cancellation = new Cancellation();
      Object.assign(context, { observed, cancellation });
      entry.context = context;
      // The first has the place of the request.
      if (entry !== context.array?.[0]) takePlace(context, options);
      // Each has a deadline of its own.
      ofRequest.withoutDeadline();
      ofRequest.onAbort(() => cancellation.abort('closed'));
      startSession(context, options.session);
      if (entry.refusal) throw entry.refusal;
      setParamsHandler(async (payload) => {
        const result = await paramsHandler(payload);
        if (Symbol.asyncIterator in result) throw NO_STREAMS;
        context.releasePlace();
        cancellation.withoutDeadline();
        return result;
      });
    },
  };
}
