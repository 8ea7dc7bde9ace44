import { InvalidValue } from './errors.ts';
import { isNullish, isObject } from './json.ts';

/** What a value of the service's records may be. Nothing here knows how it is shown. */
export type ValueKind = 'id' | 'text' | 'amount' | 'moment' | 'int' | 'flag' | 'enum' | 'object';

/** One member of a record: what it is called in rows, what the service calls it, and what it may be. */
export interface Member<Value = unknown> {
  readonly kind: ValueKind;
  readonly isList: boolean;
  readonly nullable: boolean;
  readonly description: string;
  /** The service's name, if it is another than `debtor_number` for `debtorNumber`. */
  readonly restName: string | undefined;
  /** Of an object or an enum. */
  readonly typeName: string | undefined;
  /** Of an object: its own members; of an enum: the name in rows of each value of the service. */
  readonly members: Members | undefined;
  readonly names: ReadonlyMap<string, string> | undefined;
  /** Of all but objects: the value of what the service sends, null if that is absent, and else `INVALID`. */
  readonly read: ValueReader;
  /** Only for types: what a row has here. */
  readonly value?: Value;
}

export interface Members {
  readonly [name: string]: Member;
}

/** A row with these members, each checked. In place of a value that is not what it may be, there is an Error. */
export type RowOf<Table> = {
  readonly [Name in keyof Table as Table[Name] extends Member ? Name : never]: Table[Name] extends Member<
    infer Value
  >
    ? Value
    : never;
};

export type ValueReader = (raw: unknown) => unknown;

/** One for all, in place of every value that is not what it may be: there may be as many as a body has values. */
const INVALID = new InvalidValue('not a value of this member');

/** In place of what is not of the type of its member. */
function nullOrInvalid(raw: unknown): null | InvalidValue {
  return isNullish(raw) ? null : INVALID;
}

function createListReader(read: ValueReader): ValueReader {
  return (raw) => (Array.isArray(raw) ? raw.map((item) => read(item)) : nullOrInvalid(raw));
}

export function createObjectReader(make: (record: object) => unknown, isList: boolean): ValueReader {
  const read: ValueReader = (raw) => (isObject(raw) ? make(raw) : nullOrInvalid(raw));
  return isList ? createListReader(read) : read;
}

type Type = Pick<Member, 'kind'> & Partial<Pick<Member, 'members' | 'names' | 'typeName' | 'read'>>;

function kind<Value>(
  { kind, members, names, typeName, read = nullOrInvalid }: Type,
  ofList = createListReader(read),
) {
  const member =
    <V>(nullable: boolean, isList = false) =>
    (description: string, restName?: string): Member<V> => {
      const shown = { kind, isList, nullable, description, restName };
      return { ...shown, members, names, typeName, read: isList ? ofList : read };
    };
  return {
    optional: member<Value | null>(true),
    required: member<Value>(false),
    list: member<readonly Value[] | null>(true, true),
  };
}

const readText: ValueReader = (raw) => (typeof raw === 'string' ? raw : nullOrInvalid(raw));
// A longer one does not fit into an Int of GraphQL.
const readInt: ValueReader = (raw) =>
  typeof raw === 'number' && raw === (raw | 0) ? raw : nullOrInvalid(raw);
const readBoolean: ValueReader = (raw) => (typeof raw === 'boolean' ? raw : nullOrInvalid(raw));

export const id = kind<string>({ kind: 'id', read: readText });
export const text = kind<string>({ kind: 'text', read: readText });
/** A decimal number, as text. */
export const amount = kind<string>({ kind: 'amount', read: readText });
/** In ISO 8601, as the service writes it. */
export const timestamp = kind<string>({ kind: 'moment', read: readText });
/** Of 32 bits. */
export const int = kind<number>({ kind: 'int', read: readInt });
export const boolean = kind<boolean>({ kind: 'flag', read: readBoolean });
/** A moment that the service gives in UNIX seconds. */
export const unixSeconds = kind<string>({
  kind: 'moment',
  read: (raw) => dateTime(raw) ?? nullOrInvalid(raw),
});
const readWordList: ValueReader = (raw) =>
  typeof raw === 'string' ? raw.split(' ').filter((word) => word !== '') : nullOrInvalid(raw);
/** A list of words that the service gives as one text. */
export const wordList = kind<string>({ kind: 'text' }, readWordList);

export function object<Table extends Members>(typeName: string, members: Table) {
  return kind<RowOf<Table>>({ kind: 'object', typeName, members });
}

/** Values that the service lists: `CLEANED_UP` is `cleaned_up` there. */
export function enumOf<Name extends string>(typeName: string, all: readonly Name[]) {
  const names = new Map<string, Name>(all.map((name) => [name.toLowerCase(), name]));
  const read: ValueReader = (raw) => (typeof raw === 'string' && names.get(raw)) || nullOrInvalid(raw);
  return kind<Name>({ kind: 'enum', typeName, names, read });
}

/** Converts UNIX seconds to ISO 8601; undefined if out of range. */
export function dateTime(raw: unknown): string | undefined {
  const date = new Date(Number.isSafeInteger(raw) ? Number(raw) * 1000 : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace('.000Z', 'Z');
}

/** `trialEndsOn` is `trial_ends_on`, and `street1` is `street_1`. */
export function getRestName(name: string, { restName }: Member): string {
  return restName ?? name.replace(/[A-Z]|\d+/g, (start) => `_${start.toLowerCase()}`);
}

export function getRestValue({ names }: Member, name: string): string {
  return names ? name.toLowerCase() : name;
}
