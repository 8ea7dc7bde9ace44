import { isObject } from '../../src/rest/json.ts';
import type { Fault } from './rest-service.mjs';

export interface RestPage {
  readonly data: readonly object[];
  readonly pagination?: object;
}

/** A fault that changes one page of the REST service. */
export function changePage(change: (page: RestPage) => object): Fault {
  return { kind: 'rewrite', rewrite: (body) => (isPage(body) ? change(body) : body) };
}

/** A fault that changes the rows of a page, and nothing else of it. */
export function changeRows(change: (rows: readonly object[]) => readonly object[]): Fault {
  return changePage((page) => ({ ...page, data: change(page.data) }));
}

/** A fault that changes members of one row of a page. */
export function changeRow(index: number, members: object): Fault {
  return changeRows((rows) => rows.map((row, place) => (place === index ? { ...row, ...members } : row)));
}

function isPage(body: unknown): body is RestPage {
  return isObject(body) && Array.isArray(body.data);
}
