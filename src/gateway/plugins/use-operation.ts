import { EXPORT_FORMATS, exportPaths, readExportRequest } from '../../export/export-request.ts';
import { overloaded, RequestError } from '../../http/errors.ts';
import { preferredToJson } from '../../http/negotiation.ts';
import type { Places } from '../../limits/places.ts';
import { pathOf } from '../../pages/route.ts';
import { BodyReader, turnToStart } from '../../request/body.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { credentialsOf } from '../../request/credentials.ts';
import { checkHeaders, typesFor } from '../../request/http-checks.ts';
import { entriesOfBody, isArray, paramsOfBody, paramsOfSearch } from '../../request/params.ts';
import { createSession, type SessionOptions } from '../../request/rest-sessions.ts';
import { Cancellation } from '../../rest/cancellation.ts';
import type { Credentials } from '../../rest/session.ts';
import type { RequestTelemetry } from '../../telemetry/telemetry.ts';

const OVERLOADED = overloaded('Too many operations are under way.');
const EXPORTS_OVERLOADED = overloaded('Too many exports are under way.', '10');
const LEFT = new RequestError(503, 'OVERLOADED', 'The client left before its operation started.');

export interface StartOptions {
  readonly admission: Places;
  /** Exports take minutes, so they have places of their own. */
  readonly exports: Places;
  readonly session: SessionOptions;
  readonly telemetry: RequestTelemetry;
}

interface OperationOptions extends StartOptions {
  readonly endpoint: string;
  readonly maxBatch: number;
  /** The key that shared limits count a request under. */
  readonly ownerOf: (credentials: Credentials, address: string | undefined) => string;
  /** `Authorization` of the application that the gateway is configured with. */
  readonly ownAuthorization: string | undefined;
}

const exportTypeIn = preferredToJson(Object.keys(EXPORT_FORMATS));

/**
 * Receives an operation: its headers are checked, its body is read, it takes a place and gets a session with the REST
 * service, and then its parameters are parsed. In place of Yoga's parsers, which take forms, have no such limits, and
 * echo what is not JSON.
 */
export function useOperation(options: OperationOptions): GatewayPlugin {
  const { endpoint, maxBatch, ownAuthorization, ownerOf, telemetry, session } = options;
  const paths = exportPaths(endpoint);

  async function readBody(request: Request, context: GatewayContext): Promise<Buffer> {
    const { client, req, owner, observed, endings, headers } = context;
    const reader = new BodyReader(session.memory, owner, () => {
      observed.isShed = true;
      telemetry.shed('uploads');
    });
    endings.push(() => reader.release());
    return reader.read(client && req ? { req } : { request }, Number(headers['content-length']));
  }

  return {
    async onRequestParse({ request, serverContext: context, setRequestParser }) {
      const { headers, client, req, observed } = context;
      const { method, url } = request;
      observed.isOperation = true;
      checkHeaders(method, headers);
      context.credentials = credentialsOf(headers, ownAuthorization);
      context.owner = ownerOf(context.credentials, client?.address ?? req?.socket?.remoteAddress);
      const body = method === 'POST' ? await readBody(request, context) : undefined;
      const turn = turnToStart(body?.length ?? url.length);
      if (turn) await turn;
      // It may have left meanwhile; then nothing tells of it any more.
      if (client ? client.isGone : request.signal.aborted) throw LEFT;

      const path = pathOf(request);
      const hasArray = body !== undefined && maxBatch > 0 && path === endpoint && isArray(body);
      // By the path, or else by `Accept`: a tool that sets no headers may send any.
      const format = hasArray
        ? undefined
        : (paths[path] ?? EXPORT_FORMATS[exportTypeIn(headers.accept) ?? '']);
      const accepted = typesFor(hasArray ? 'array' : format ? 'file' : 'operation', headers);
      if (format) context.exported = readExportRequest(format, searchOf(url));
      context.cancellation = cancelledWithClient(request, context);
      takePlace(context, options);
      startSession(context, options.session);
      setRequestParser(() => {
        if (hasArray) context.array = entriesOfBody(body, maxBatch);
        // Each operation of an array is observed by itself.
        if (hasArray) observed.isOperation = false;
        const single = () => (body ? paramsOfBody(body) : paramsOfSearch(searchOf(url)));
        const params = context.array?.map((entry) => entry.params) ?? single();
        context.accepted = accepted;
        return params;
      });
    },
  };
}

/** Aborted when the client leaves, and with whatever is still under way when the operation ends. */
function cancelledWithClient(request: Request, { client, endings }: GatewayContext): Cancellation {
  const cancellation = new Cancellation();
  const abort = () => cancellation.abort('closed');
  if (client) client.onLeave = abort;
  else request.signal.addEventListener('abort', abort);
  endings.push(() => {
    if (client) client.onLeave = undefined;
    else request.signal.removeEventListener('abort', abort);
    abort();
  });
  return cancellation;
}

/** Throws if there is no place for the operation. It is released at the end, or when `releasePlace` is called. */
export function takePlace(context: GatewayContext, { admission, exports, telemetry }: StartOptions): void {
  const { owner, observed, endings } = context;
  const isExport = context.exported !== undefined;
  const release = (isExport ? exports : admission).admit(owner);
  if (!release) {
    observed.isShed = true;
    telemetry.shed(isExport ? 'exports' : 'operations');
    throw isExport ? EXPORTS_OVERLOADED : OVERLOADED;
  }
  context.releasePlace = release;
  endings.push(release);
}

/** Gives an operation access to the REST service with its caller's credentials, and limits of time and memory. */
export function startSession(context: GatewayContext, options: SessionOptions): void {
  const { cancellation, observed, endings } = context;
  if (context.exported) cancellation.abortAfter(options.exportTimeoutMs, 'EXPORT_TIMEOUT_MS');
  else cancellation.abortAfter(options.requestTimeoutMs, 'REQUEST_TIMEOUT_MS');
  const session = createSession(options, context);
  Object.assign(context, session);
  endings.push(() => {
    session.holding.release();
    const { calls, busy } = session.rest;
    observed.addCalls(calls, busy.total(performance.now()));
  });
}

function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}
