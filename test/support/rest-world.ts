import type { DemoData } from './rest-service.mjs';
import { times } from './times.ts';

export interface WorldSize {
  readonly administrations: number;
  readonly debtors: number;
  readonly cases: number;
  readonly idLength: number;
}

const COMPANY = '101';
const THEN = '2025-06-30T10:00:00.000Z';

/** Data of the embedded service for one company, in another size and with other ids than it has by itself. */
export function createData({ administrations, debtors, cases, idLength }: WorldSize): DemoData {
  const ids = times(administrations, (index) => String(1001 + index));
  const debtorId = (administration: string, index: number) =>
    `${administration}${index}`.padStart(idLength, 'x');
  const now = new Date().toISOString();
  return {
    companies: [{ id: COMPANY, name: 'Zorggroep Noord B.V.', status: 'active', trial: false }],
    administrations: ids.map((id) => ({ id, name: `Books ${id}`, company_id: COMPANY })),
    debtors: ids.flatMap((administration_id) =>
      times(debtors, (index) => ({
        id: debtorId(administration_id, index),
        administration_id,
        debtor_number: `D${index}`,
        debtor_identifier: `E${index}`,
        name: `Debtor ${index} of ${administration_id}`,
        postal_address: { city: 'Groningen', country_code: 'NL' },
        updated_at: THEN,
      })),
    ),
    tasks: ids.flatMap((administration_id) =>
      times(debtors, (index) => ({
        id: `T${administration_id}${index}`,
        administration_id,
        debtor_id: debtorId(administration_id, index),
        subject: 'Call',
        created_at: THEN,
        updated_at: THEN,
      })),
    ),
    messages: [],
    declarationLines: [],
    deletedCreditCases: ids.flatMap((administration_id) =>
      times(cases, (index) => ({
        id: `C${administration_id}${index}`,
        administration_id,
        debtor_id: debtorId(administration_id, index),
        deleted_at: now,
      })),
    ),
    deletedPayments: [],
  };
}
