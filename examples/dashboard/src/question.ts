import type { DebtorOrder, DebtorWhere } from './generated/graphql.ts';

/** Which debtors the user wants to see, and in which order. */
export interface Question {
  /** Part of a name, or the start of a number. */
  readonly text: string;
  /** The name of a label. */
  readonly label: string;
  /** The lowest open amount: as typed, or as a decimal when sent. */
  readonly minimum: string;
  /** Absent for the order of the service. */
  readonly order?: DebtorOrder | undefined;
}

/** All debtors in the order of the service: a page takes one REST call. */
export const EVERYTHING: Question = { text: '', label: '', minimum: '' };

export function isEverything({ text, label, minimum, order }: Question): boolean {
  return text === '' && label === '' && minimum === '' && order === undefined;
}

/** Returns the gateway's arguments for a question. The gateway does all filtering and sorting. */
export function argumentsOf({ text, label, minimum, order }: Question) {
  const conditions: DebtorWhere[] = [];
  if (text) conditions.push({ or: [{ name: { contains: text } }, { debtorNumber: { startsWith: text } }] });
  if (label) conditions.push({ labels: { some: { name: { eq: label } } } });
  if (minimum) conditions.push({ bookOpenAmount: { gte: minimum } });
  return {
    where: conditions.length > 0 ? { and: conditions } : undefined,
    orderBy: order && [order],
  };
}
