import { InvalidValue } from './errors.ts';
import { isNullish, isObject } from './json.ts';

export type ValueKind = 'id' | 'text' | 'amount' | 'timestamp' | 'int' | 'boolean' | 'enum' | 'object';

export interface Member<Value = unknown> {
  readonly kind: ValueKind;
  readonly isList: boolean;
  readonly nullable: boolean;
  readonly description: string;
  /** The service's name, unless it is the member's name in snake case. */
  readonly restName: string | undefined;
  readonly typeName: string | undefined;
  /** `members` belong to an object; `names` maps an enum's values in the service to those in rows. */
  readonly members: Members | undefined;
  readonly names: ReadonlyMap<string, string> | undefined;
  /** Reads a value: null if absent, `INVALID` if its type is wrong. Not used for objects. */
  readonly read: ValueReader;
  /** Only carries the type of the value in rows. */
  readonly value?: Value;
}

export interface Members {
  readonly [name: string]: Member;
}

/** A value of a wrong type is replaced by an Error. */
export type RowOf<Table> = {
  readonly [Name in keyof Table as Table[Name] extends Member ? Name : never]: Table[Name] extends Member<
    infer Value
  >
    ? Value
    : never;
};

export type ValueReader = (raw: unknown) => unknown;

/** One shared error, since a body may have any number of wrong values. */
const INVALID = new InvalidValue('not a value of this member');

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
  readItems = createListReader(read),
) {
  const member =
    <V>({ nullable, isList = false }: { readonly nullable: boolean; readonly isList?: boolean }) =>
    (description: string, restName?: string): Member<V> => {
      const shown = { kind, isList, nullable, description, restName };
      return { ...shown, members, names, typeName, read: isList ? readItems : read };
    };
  return {
    optional: member<Value | null>({ nullable: true }),
    required: member<Value>({ nullable: false }),
    list: member<readonly Value[] | null>({ nullable: true, isList: true }),
  };
}

const readText: ValueReader = (raw) => (typeof raw === 'string' ? raw : nullOrInvalid(raw));
// GraphQL's Int has 32 bits.
const readInt: ValueReader = (raw) =>
  typeof raw === 'number' && raw === (raw | 0) ? raw : nullOrInvalid(raw);
const readBoolean: ValueReader = (raw) => (typeof raw === 'boolean' ? raw : nullOrInvalid(raw));

export const id = kind<string>({ kind: 'id', read: readText });
export const text = kind<string>({ kind: 'text', read: readText });
export const amount = kind<string>({ kind: 'amount', read: readText });
export const timestamp = kind<string>({ kind: 'timestamp', read: readText });
export const int = kind<number>({ kind: 'int', read: readInt });
export const boolean = kind<boolean>({ kind: 'boolean', read: readBoolean });
/** The service sends UNIX seconds, which become ISO 8601. */
export const unixSeconds = kind<string>({
  kind: 'timestamp',
  read: (raw) => dateTime(raw) ?? nullOrInvalid(raw),
});
const readWordList: ValueReader = (raw) =>
  typeof raw === 'string' ? raw.split(' ').filter((word) => word !== '') : nullOrInvalid(raw);
export const wordList = kind<string>({ kind: 'text' }, readWordList);

export function object<Table extends Members>(typeName: string, members: Table) {
  return kind<RowOf<Table>>({ kind: 'object', typeName, members });
}

/** The service writes `CLEANED_UP` as `cleaned_up`. */
export function enumOf<Name extends string>(typeName: string, all: readonly Name[]) {
  const names = new Map<string, Name>(all.map((name) => [name.toLowerCase(), name]));
  const read: ValueReader = (raw) => (typeof raw === 'string' && names.get(raw)) || nullOrInvalid(raw);
  return kind<Name>({ kind: 'enum', typeName, names, read });
}

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
