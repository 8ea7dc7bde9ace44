import { isObject } from './values.ts';

/** The type of a field decides how it is filtered, ordered, summed and grouped. */
export type Kind = 'text' | 'id' | 'amount' | 'int' | 'dateTime' | 'boolean' | 'enum';

export interface PlainField {
  readonly kind: Kind;
  readonly name: string;
  /** The record, or the object it stands in, is null without it. */
  readonly isRequired: boolean;
  /** The type of a global id, if the field takes one. */
  readonly idOf?: string;
}

/** An object or a list of objects with plain members, or a list of texts. */
export interface NestedField {
  readonly kind: 'object' | 'objects' | 'texts';
  readonly name: string;
  readonly isRequired: boolean;
  readonly members: readonly PlainField[];
}

export type Field = PlainField | NestedField;

/** A list of the schema, with fields of each kind: nothing here comes from the code of the gateway. */
export interface ListSpec {
  readonly name: string;
  readonly type: string;
  readonly fields: readonly Field[];
}

const ADDRESS = plain('text', 'city! countryCode! postalCode street1');

const OWN = [id('internalId!'), id('administrationId!', 'Administration')];

export const LISTS: readonly ListSpec[] = [
  {
    name: 'debtors',
    type: 'Debtor',
    fields: [
      ...OWN,
      ...plain('text', 'debtorNumber! debtorIdentifier! name! vatNumber remark'),
      ...plain('amount', 'bookOpenAmount creditLimitAmount'),
      ...plain('int', 'paymentBehaviour'),
      ...plain('boolean', 'peppolEnabled'),
      ...plain('dateTime', 'pausedAt updatedAt'),
      { kind: 'object', name: 'postalAddress', isRequired: true, members: ADDRESS },
      { kind: 'objects', name: 'labels', isRequired: false, members: plain('text', 'name!') },
    ],
  },
  {
    name: 'declarationLines',
    type: 'DeclarationLine',
    fields: [
      ...OWN,
      ...plain('boolean', 'claim'),
      ...plain('enum', 'claimStatus'),
      { kind: 'texts', name: 'claimResponseCodes', isRequired: false, members: [] },
      ...plain('text', 'orderLineIdentifier productIdentifier'),
      ...plain('amount', 'amount creditedAmount'),
      { kind: 'object', name: 'customer', isRequired: false, members: plain('text', 'emailAddress') },
      ...plain('dateTime', 'createdAt'),
    ],
  },
  {
    name: 'deletedCreditCases',
    type: 'DeletedCreditCase',
    fields: [...OWN, id('debtorId', 'Debtor'), ...plain('dateTime', 'deletedAt')],
  },
];

export const CLAIM_STATUSES = 'ACTION_REQUIRED AUTO_RESUBMIT DRAFT FAILED PROCESSED SUBMITTED'.split(' ');

export function restName(name: string): string {
  if (name === 'internalId') return 'id';
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/\d+/, '_$&');
}

export function enumName(...path: readonly string[]): string {
  return path.map((name) => name.replace(/[A-Z]/g, '_$&').toUpperCase()).join('_');
}

/** Plain fields; `!` marks those that the service promises. */
function plain(kind: Kind, names: string): PlainField[] {
  return names.split(' ').map((name) => ({
    kind,
    name: name.replace('!', ''),
    isRequired: name.endsWith('!'),
  }));
}

function id(name: string, idOf?: string): PlainField {
  return { kind: 'id', name: name.replace('!', ''), isRequired: name.endsWith('!'), ...(idOf && { idOf }) };
}

/** A plain field of a record or of an object in it, with the way to it. */
export interface PathField {
  readonly name: string;
  readonly path: readonly string[];
  readonly field: PlainField;
  /** The part of a date that groups use. */
  readonly datePart?: 'DAY' | 'MONTH' | 'YEAR';
}

const ITEM: PlainField = { kind: 'text', name: '', isRequired: true };

/** Lists can be ordered by plain fields, and those of nested objects. */
export function orderFields({ fields }: ListSpec): PathField[] {
  return pathsIn(fields.filter(({ kind }) => kind !== 'objects' && kind !== 'texts'));
}

function pathsIn(fields: readonly Field[]): PathField[] {
  return fields.flatMap((field): PathField[] => {
    if (!('members' in field)) return [pathField([field.name], field)];
    if (field.kind === 'texts') return [pathField([field.name], ITEM)];
    return field.members.map((member) => pathField([field.name, member.name], member));
  });
}

/** Groups can be made by the same fields and lists, except amounts and the record's own id. */
export function groupFields({ fields }: ListSpec): PathField[] {
  return pathsIn(fields).flatMap((one): PathField[] => {
    if (one.name === 'INTERNAL_ID' || one.field.kind === 'amount') return [];
    if (one.field.kind !== 'dateTime') return [one];
    return (['DAY', 'MONTH', 'YEAR'] as const).map((datePart) => ({
      ...one,
      name: `${one.name}_${datePart}`,
      datePart,
    }));
  });
}

function pathField(path: readonly string[], field: PlainField): PathField {
  return { name: enumName(...path), path, field };
}

/** The values at a path as the service sent them: one, or as many as a list has. */
export function rawValues(record: unknown, { path }: PathField): unknown[] {
  return path.reduce<unknown[]>(
    (sources, name) => sources.flatMap((source) => (isObject(source) ? source[restName(name)] : undefined)),
    [record],
  );
}
