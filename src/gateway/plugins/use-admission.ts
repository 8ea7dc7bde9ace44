import { overloaded, RequestError } from '../../http/errors.ts';
import type { Admission } from '../../limits/fair-share.ts';
import type { Leaver, Turns } from '../../limits/start-queue.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { credentialsOf } from '../../request/credentials.ts';
import { Cancellation } from '../../rest/cancellation.ts';
import type { Credentials } from '../../rest/session.ts';
import type { RequestTelemetry } from '../../telemetry/telemetry.ts';

const OVERLOADED = overloaded('Too many operations are under way.');
const EXPORTS_OVERLOADED = overloaded('Too many exports are under way.', '10');
const LEFT = new RequestError(503, 'OVERLOADED', 'The client left before its operation started.');

interface AdmissionOptions extends PlaceOptions {
  readonly startQueue: Turns;
  /** The key that shared limits count a request under. */
  readonly ownerOf: (credentials: Credentials, address: string | undefined) => string;
}

export interface PlaceOptions {
  readonly admission: Admission;
  /** Exports take minutes, so they have places of their own. */
  readonly exports: Admission;
  readonly telemetry: RequestTelemetry;
}

/** Limits operations and exports in flight, with a fair share for each owner, and lets them start in turns. */
export function useAdmission(options: AdmissionOptions): GatewayPlugin {
  const { startQueue, ownerOf } = options;
  return {
    onRequestParse({ request, serverContext: context }) {
      const { headers, req, client } = context;
      // It may have left while its body arrived; then nothing tells of it any more.
      if (client ? client.isGone : request.signal.aborted) throw LEFT;
      context.credentials = credentialsOf(headers);
      context.owner = ownerOf(context.credentials, client?.address ?? req?.socket?.remoteAddress);
      takePlace(context, options);
      abortWithClient(request, context);
      return awaitTurn(context, startQueue, client);
    },
    onResultProcess({ serverContext: { client, hasParams } }) {
      // What was refused waits for its turn too: clients that retry at once could fill event loop turns with refusals.
      return client && !client.isGone && !hasParams
        ? startQueue.enter(client.owner, 'addresses', client)
        : undefined;
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

/** Undefined to start at once. */
export function awaitTurn(
  { owner, client, cancellation }: GatewayContext,
  startQueue: Turns,
  leaver: Leaver = { onLeave: undefined },
): Promise<void> | undefined {
  const group = owner === client?.owner ? 'addresses' : 'credentials';
  return startQueue.enter(owner, group, leaver)?.then(() => {
    if (cancellation.isAborted) throw LEFT;
  });
}

/** Aborts the operation when its client leaves, and whatever is still under way for it when it ends. */
function abortWithClient(request: Request, context: GatewayContext): void {
  const { client, endings } = context;
  const cancellation = new Cancellation();
  context.cancellation = cancellation;
  const abort = () => {
    cancellation.abort('closed');
    context.text?.drop();
  };
  if (client) {
    client.onAbort = abort;
    client.isRunning = true;
  } else request.signal.addEventListener('abort', abort);
  endings.push(() => {
    if (client) {
      client.onAbort = undefined;
      client.isRunning = false;
    } else request.signal.removeEventListener('abort', abort);
    abort();
  });
}
