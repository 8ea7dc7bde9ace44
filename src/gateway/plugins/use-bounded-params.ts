import type { IncomingHttpHeaders } from 'node:http';
import { EXPORT_FORMATS, exportPaths, readExportRequest } from '../../export/export-request.ts';
import { preferredToJson, RESPONSE_JSON } from '../../http/negotiation.ts';
import { pathOf } from '../../pages/route.ts';
import { ArrayEntry, type GatewayPlugin } from '../../request/context.ts';
import {
  type AcceptedTypes,
  acceptedTypes,
  checkContent,
  checkMethod,
  checkUpgrade,
} from '../../request/http-checks.ts';
import { paramsOfBody, paramsOfSearch, type ReceivedParams, receiveText } from '../../request/params.ts';

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
      else {
        const what = context instanceof ArrayEntry ? 'An operation of the array' : 'The body';
        setRequestParser(() => count(paramsOfBody(context.text?.take() ?? '', what)));
      }
      if (text) text.check();
      else if (method === 'POST') checkContent(headers);
      const format = formatOf(request, headers.accept);
      Object.assign(context, format ? FILE_OF_ROWS : acceptedTypes(headers));
      context.lastEventId = lastEventIdIn(headers);
      context.exported = format && readExportRequest(format, searchOf(url));
      if (text || method === 'GET') return;
      return receiveText(request).then((received) => {
        context.text = received;
        received.check();
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
