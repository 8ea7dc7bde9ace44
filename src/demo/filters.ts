import { badRequest } from './http-error.ts';
import { readList, readMoment } from './parameters.ts';

/** Parses a parameter once, and returns the predicate for records. */
export type Filter<R> = (text: string, name: string) => (record: R) => boolean;

type Read<R> = (record: R) => string | null | undefined;

export function isOneOf<R>(read: Read<R>): Filter<R> {
  return (text, name) => {
    const wanted = new Set<unknown>(readList(text, name));
    return (record) => wanted.has(read(record));
  };
}

export function isExactly<R>(allowed: readonly string[], read: Read<R>): Filter<R> {
  return (text, name) => {
    if (!allowed.includes(text))
      throw badRequest(`${name} must be one of ${allowed.join(', ')}, not ${text}.`);
    return (record) => read(record) === text;
  };
}

export function isAfter<R>(read: (record: R) => string): Filter<R> {
  return (text, name) => {
    const limit = readMoment(text, name);
    return (record) => Date.parse(read(record)) > limit;
  };
}

export function isBefore<R>(read: (record: R) => string): Filter<R> {
  return (text, name) => {
    const limit = readMoment(text, name);
    return (record) => Date.parse(read(record)) < limit;
  };
}
