import type { FakeRow } from './fake-gateway.ts';

export function ndjsonOf(rows: readonly FakeRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Formulas get an apostrophe, and null is an empty cell. */
export function csvOf(rows: readonly FakeRow[]): string {
  const cell = (text: string | null | undefined) => {
    const guarded = text?.replace(/^=/, "'=") ?? '';
    return /["\r\n,]/.test(guarded) || text === '' ? `"${guarded.replaceAll('"', '""')}"` : guarded;
  };
  const lines = rows.map(({ id, name, postalAddress, labels }) =>
    [id, name, postalAddress?.city, labels.map((label) => label.name).join('; ')].map(cell).join(','),
  );
  return ['id,name,postalAddress.city,labels.name', ...lines, ''].join('\r\n');
}
