import type { TestGateway } from './gateway.ts';

/** The debtors of one administration, as the REST service lists them. */
export function debtorsOf({ rest }: TestGateway, administrationId: string) {
  return rest.data.debtors.filter((debtor) => debtor.administration_id === administrationId);
}

export function idsOf(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id);
}
