import { type DemoData, generateData } from '../../src/demo/data/generate.ts';
import type { Debtor, DeletedCreditCase } from '../../src/demo/data/records.ts';
import { present } from './present.ts';

/** Records of one service, which a test changes as that service would. */
export interface ChangingRecords {
  /** For `startDemoService`. */
  readonly data: DemoData;
  /** Gives a debtor other values, or makes one that there was not. */
  changeDebtor(id: string, values: Partial<Debtor>): void;
  deleteCreditCase(id: string, debtorId: string): void;
}

/** The records that the embedded service has by itself, in lists of its own. */
export function createChangingRecords(administrationId: string): ChangingRecords {
  const generated = generateData(Date.now());
  const deletedCreditCases: DeletedCreditCase[] = [...generated.deletedCreditCases];
  const { companies, administrations, debtors, tasks, messages, declarationLines, deletedPayments } =
    generated;
  const now = () => new Date().toISOString();
  return {
    data: {
      companies,
      administrations,
      debtors,
      tasks,
      messages,
      declarationLines,
      deletedPayments,
      deletedCreditCases,
    },
    changeDebtor(id, values) {
      const index = debtors.findIndex((debtor) => debtor.id === id);
      const before = index < 0 ? present(debtors.at(-1)) : present(debtors[index]);
      const debtor = { ...before, id, administration_id: administrationId, ...values, updated_at: now() };
      if (index < 0) debtors.push(debtor);
      else debtors[index] = debtor;
    },
    deleteCreditCase(id, debtorId) {
      deletedCreditCases.push({
        id,
        administration_id: administrationId,
        debtor_id: debtorId,
        deleted_at: now(),
      });
    },
  };
}
