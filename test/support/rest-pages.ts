import { isObject } from '../../src/rest/json.ts';
import type { Fault } from './rest-service.mjs';

export interface RestPage {
  readonly data: readonly object[];
  readonly pagination?: object;
}

export function changePage(change: (page: RestPage) => object): Fault {
  return { kind: 'rewrite', rewrite: (body) => (isPage(body) ? change(body) : body) };
}

export function changeRows(change: (rows: readonly object[]) => readonly object[]): Fault {
  return changePage((page) => ({ ...page, data: change(page.data) }));
}

export function changeRow(index: number, members: object): Fault {
  return changeRows((rows) => rows.map((row, place) => (place === index ? { ...row, ...members } : row)));
}

function isPage(body: unknown): body is RestPage {
  return isObject(body) && Array.isArray(body.data);
}
