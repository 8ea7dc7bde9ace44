import { overloaded, RequestError } from '../../http/errors.ts';
import type { Places } from '../../limits/places.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { Cancellation } from '../../rest/cancellation.ts';
import type { RequestTelemetry } from '../../telemetry/telemetry.ts';

const OVERLOADED = overloaded('Too many operations are under way.');
const EXPORTS_OVERLOADED = overloaded('Too many exports are under way.', '10');
const LEFT = new RequestError(503, 'OVERLOADED', 'The client left before its operation started.');

export interface PlaceOptions {
  readonly admission: Places;
  /** Exports take minutes, so they have places of their own. */
  readonly exports: Places;
  readonly telemetry: RequestTelemetry;
}

/** Limits operations and exports in flight, with a fair share for each owner. */
export function useAdmission(options: PlaceOptions): GatewayPlugin {
  return {
    onRequestParse({ request, serverContext: context }) {
      const { client } = context;
      // It may have left while its body arrived; then nothing tells of it any more.
      if (client ? client.isGone : request.signal.aborted) throw LEFT;
      takePlace(context, options);
      abortWithClient(request, context);
    },
  };
}

/** Throws if there is none for the operation. It is released at the end, or when `releasePlace` is called. */
export function takePlace(context: GatewayContext, { admission, exports, telemetry }: PlaceOptions): void {
  const { owner, observed, endings } = context;
  const isExport = context.exported !== undefined;
  const places = isExport ? exports : admission;
  const release = places.admit(owner);
  if (!release) {
    observed.isShed = true;
    telemetry.shed(isExport ? 'exports' : 'operations');
    throw isExport ? EXPORTS_OVERLOADED : OVERLOADED;
  }
  context.releasePlace = release;
  endings.push(release);
}

/** Aborts the operation when its client leaves, and whatever is still under way for it when it ends. */
function abortWithClient(request: Request, context: GatewayContext): void {
  const { client, endings } = context;
  const cancellation = new Cancellation();
  context.cancellation = cancellation;
  const abort = () => cancellation.abort('closed');
  if (client) client.onLeave = abort;
  else request.signal.addEventListener('abort', abort);
  endings.push(() => {
    if (client) client.onLeave = undefined;
    else request.signal.removeEventListener('abort', abort);
    abort();
  });
}
