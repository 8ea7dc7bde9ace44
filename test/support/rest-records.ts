import type { Debtor } from '../../src/demo/data/records.ts';
import type { TestGateway } from './gateway.ts';
import { present } from './present.ts';
import type { DemoService } from './rest-service.mjs';

export function debtorsOf({ rest }: TestGateway, administrationId: string) {
  return rest.data.debtors.filter((debtor) => debtor.administration_id === administrationId);
}

/** Changes the nth debtor of an administration now, as the service would: services share records, so it gets another. */
export function changeDebtor(
  { data: { debtors } }: DemoService,
  administrationId: string,
  changes: Partial<Debtor>,
  index = 0,
): void {
  const own = debtors.filter((each) => each.administration_id === administrationId);
  const debtor = present(own[index]);
  debtors[debtors.indexOf(debtor)] = { ...debtor, updated_at: new Date().toISOString(), ...changes };
}

export function idsOf(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id);
}
