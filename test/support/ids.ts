import { ADMINISTRATION } from './gateway.ts';

export const encode = (text: string) => Buffer.from(text).toString('base64url');

export function globalId(type: string, id: string, administration = ADMINISTRATION): string {
  return encode(JSON.stringify([type, administration, id]));
}

/** A cursor that names its row alone, in the nth part of a long filter if that is given. */
export function cursorOf(id: string, part: number | '' = ''): string {
  return encode(`${part}:${id}`);
}

/** The cursor of the last of these rows, with which a list begins. */
export function cursorBehind(...ids: readonly string[]): string {
  return encode(`;${ids.toReversed().join('\n')}`);
}
