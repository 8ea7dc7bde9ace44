import { STATUS_CODES } from 'node:http';
import { errorAnswer } from '../http/error-answer.ts';
import type { RequestError } from '../http/request-error.ts';
import { usuallySpelled } from './usual-spelling.ts';

/** A serialized error response, for sockets without a `ServerResponse`. */
export function rawErrorResponse(error: RequestError, requestId: string): string {
  const { status, headers, body } = errorAnswer(error, requestId);
  const lines = Object.entries({
    ...usuallySpelled(headers),
    'Content-Length': body.length,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
