import type { DebtorOrder, DebtorWhere } from './generated/graphql.ts';

/** Which debtors the reader wants to see, and in which order. */
export interface Question {
  /** Part of a name, or the start of a number. */
  readonly text: string;
  /** The name of a label. */
  readonly label: string;
  /** The least open amount, as it is typed; when it is asked, as a decimal. */
  readonly minimum: string;
  /** Absent for the order of the service. */
  readonly order?: DebtorOrder | undefined;
}

/** All debtors, as the service lists them: a page of that is one REST call. */
export const EVERYTHING: Question = { text: '', label: '', minimum: '' };

export function isEverything({ text, label, minimum, order }: Question): boolean {
  return text === '' && label === '' && minimum === '' && order === undefined;
}

/** The gateway's own arguments for a question. It filters and orders; nothing of that is done here. */
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
