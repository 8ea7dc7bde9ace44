import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { EXPORT_FORMATS, exportPaths, readExportRequest } from '../export/request.ts';
import { preferredToJson, RESPONSE_JSON } from '../http/negotiation.ts';
import { badRequest, RequestError } from '../http/request-error.ts';
import { ByteCollector } from '../limits/byte-collector.ts';
import { pathOf } from '../pages/route.ts';
import type { GatewayPlugin, ReceivedText } from './context.ts';
import { type AcceptedTypes, acceptedTypes, checkContent, checkMethod, checkUpgrade } from './http-checks.ts';
import { paramsOfBody, paramsOfSearch, type ReceivedParams } from './params.ts';

export const MAX_BODY_BYTES = 1_000_000;

export const TOO_LARGE = new RequestError(
  413,
  'PAYLOAD_TOO_LARGE',
  `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  { connection: 'close' },
);
const NOT_UTF8 = badRequest('The body is not UTF-8.');

/** The errors of an export have statuses, by which scripts tell them from its rows. */
const FILE_OF_ROWS: AcceptedTypes = {
  mediaType: RESPONSE_JSON,
  streamType: undefined,
  takesStreamsOnly: false,
};

const exportTypeIn = preferredToJson(Object.keys(EXPORT_FORMATS));

/**
 * Reads the parameters of an operation in place of Yoga's parsers, which take forms, echo what is not JSON, and parse
 * whatever its size. It stands before the admission, which a slow body must not hold a place of; they are parsed after
 * it, since that takes milliseconds for long ones.
 */
export function useBoundedParams(endpoint: string): GatewayPlugin {
  const paths = exportPaths(endpoint);
  /** By the path, or else by `Accept`: a tool that sets no headers may send any. */
  const formatOf = (request: Request, accept: string | undefined) =>
    paths[pathOf(request)] ?? EXPORT_FORMATS[exportTypeIn(accept) ?? ''];

  return {
    onRequestParse({ request, serverContext: context, setRequestParser }) {
      const { observed, headers, text } = context;
      observed.isOperation = true;
      const { method, url } = request;
      checkUpgrade(headers);
      checkMethod(method);
      const count = ({ params, bytes }: ReceivedParams) => {
        context.holding.add(bytes);
        context.hasParams = true;
        return params;
      };
      if (method === 'GET') setRequestParser(() => count(paramsOfSearch(searchOf(url))));
      else setRequestParser(() => count(paramsOfBody(context.text?.take() ?? '')));
      if (text) text.check();
      else if (method === 'POST') checkContent(headers);
      const format = formatOf(request, headers.accept);
      Object.assign(context, format ? FILE_OF_ROWS : acceptedTypes(headers));
      context.lastEventId = lastEventIdIn(headers);
      context.exported = format && readExportRequest(format, searchOf(url));
      if (text || method === 'GET') return;
      return receiveText(request).then((received) => {
        context.text = received;
      });
    },
  };
}

/** Sent by a client that connects again; `EventSource` sends an empty one if it knows none. */
function lastEventIdIn({ 'last-event-id': given }: IncomingHttpHeaders): string | undefined {
  return typeof given === 'string' && given !== '' ? given : undefined;
}

function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** The body of a request to another server than the guarded one, which has read it already. */
async function receiveText(request: Request): Promise<ReceivedText> {
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) throw TOO_LARGE;
  const body = await readBytes(request);
  return { check() {}, take: () => decodeBody(body), drop() {} };
}

async function readBytes(request: Request): Promise<Buffer> {
  // A framework may have parsed the body before; then there is only its text.
  if (!request.body) return limited(Buffer.from(await request.text()));
  const received = new ByteCollector();
  for await (const chunk of request.body) {
    received.append(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    if (received.length > MAX_BODY_BYTES) throw TOO_LARGE;
  }
  return received.content();
}

function limited(body: Buffer): Buffer {
  if (body.length > MAX_BODY_BYTES) throw TOO_LARGE;
  return body;
}

export function decodeBody(body: Buffer): string {
  if (isUtf8(body)) return body.toString('utf8');
  throw NOT_UTF8;
}
