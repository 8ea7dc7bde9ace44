import { BASIC, BEARER } from './gateway.ts';

/** One REST call for a few debtors; another call for each number, since equal calls under way are shared. */
export function debtors(number = 0): string {
  return `{ debtors(administrationId: "1001", first: ${3 + number}) { nodes { internalId name } } }`;
}

export const DEBTORS = debtors();
export const PAYMENTS = '{ deletedPayments(administrationId: "1001", first: 1) { nodes { internalId } } }';

/** Writes and token calls, each with the headers that it needs: one REST call each, which is sent once. */
export const WRITES = {
  unmarkTaskCompleted: [
    'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } }',
    BEARER,
  ],
  updateMessages: [
    'mutation { updateMessages(input: { administrationId: "1001", messages: [{ id: "1", read: true }] }) { count } }',
    BEARER,
  ],
  introspectToken: ['mutation { introspectToken(input: { token: "x" }) { active } }', BASIC],
} as const;
