import type { IncomingHttpHeaders } from 'node:http';
import { EXPORT_FORMATS, exportPaths, readExportRequest } from '../../export/export-request.ts';
import { notAcceptable } from '../../http/errors.ts';
import { JSON_TYPE, negotiate, preferredToJson, RESPONSE_JSON } from '../../http/negotiation.ts';
import { pathOf } from '../../pages/route.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { type AcceptedTypes, acceptedTypes } from '../../request/http-checks.ts';
import { entriesOfBody, isArray, paramsOfBody, paramsOfSearch } from '../../request/params.ts';

const NO_STREAM = { streamType: undefined, takesStreamsOnly: false };
/** The errors of an export have statuses, by which scripts tell them from its rows. */
const FILE_OF_ROWS: AcceptedTypes = { mediaType: RESPONSE_JSON, ...NO_STREAM };
const NO_ARRAY_ACCEPTED = notAcceptable(
  `An array of operations is answered by an array, as ${JSON_TYPE} or ${RESPONSE_JSON}.`,
);

const exportTypeIn = preferredToJson(Object.keys(EXPORT_FORMATS));

/**
 * Reads the parameters of an operation, or of an array of them, in place of Yoga's parsers, which take forms, and echo
 * what is not JSON. They are parsed behind the admission: long ones take milliseconds.
 */
export function useBoundedParams(endpoint: string, maxBatch: number): GatewayPlugin {
  const paths = exportPaths(endpoint);
  /** By the path, or else by `Accept`: a tool that sets no headers may send any. */
  const formatOf = (request: Request, accept: string | undefined) =>
    paths[pathOf(request)] ?? EXPORT_FORMATS[exportTypeIn(accept) ?? ''];

  return {
    onRequestParse({ request, serverContext: context, setRequestParser }) {
      const { headers, body } = context;
      const { url } = request;
      // Sent by a client that connects again; `EventSource` sends an empty one if it knows none.
      context.lastEventId = headers['last-event-id']?.toString() || undefined;
      const hasArray = body !== undefined && maxBatch > 0 && pathOf(request) === endpoint && isArray(body);
      const format = hasArray ? undefined : formatOf(request, headers.accept);
      const types = hasArray ? typesOfArray(headers) : format ? FILE_OF_ROWS : acceptedTypes(headers);
      Object.assign(context, types);
      context.exported = format && readExportRequest(format, searchOf(url));
      setRequestParser(() => {
        context.body = undefined;
        if (hasArray) return readArray(body, context, maxBatch);
        const params = body ? paramsOfBody(body) : paramsOfSearch(searchOf(url));
        context.hasParams = true;
        return params;
      });
    },
  };
}

/** Its operations cannot be streams or files of rows. */
function typesOfArray({ accept }: IncomingHttpHeaders): AcceptedTypes {
  const mediaType = negotiate(accept);
  if (mediaType === undefined) throw NO_ARRAY_ACCEPTED;
  return { mediaType, ...NO_STREAM };
}

/** Each operation is observed by itself. */
function readArray(body: Buffer, context: GatewayContext, maxBatch: number) {
  context.array = entriesOfBody(body, maxBatch);
  context.hasParams = true;
  context.observed.isOperation = false;
  return context.array.map(({ params }) => params);
}

function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}
