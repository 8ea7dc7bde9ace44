import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { times } from './times.ts';

export const CALLER = 'token-of-the-caller';
export const NEIGHBOUR = 'token-of-the-neighbour';

const NOW = new Date().toISOString();
/** Members of a debtor that are text, in the order of the description. */
const TEXTS =
  'bank_account_name bank_account_number book_open_amount call_phone_number sms_phone_number coc_number vat_number credit_limit_amount debtor_provided_email_address primary_email_address invoice_email_address invoice_cc_email_address invoice_bcc_email_address reminder_email_address reminder_cc_email_address reminder_bcc_email_address language_code relation_manager peppol_identifier public_url deeplink_url remark'.split(
    ' ',
  );
/** Stands for the administration in rows, which are made once for all of a kind. */
const PLACE = '@administration@';

function debtor(index: number, others: object = {}): object {
  return {
    id: idOf(index),
    administration_id: PLACE,
    debtor_number: `D${index}`,
    debtor_identifier: `E${index}`,
    name: `Debtor ${(index * 7919) % 25_000} of ${PLACE}`,
    postal_address: { city: 'Sneek', country_code: 'NL' },
    updated_at: NOW,
    ...others,
  };
}

const idOf = (index: number) => `d${String(index).padStart(6, '0')}`;
const everyText = (value: unknown) => Object.fromEntries(TEXTS.map((name) => [name, value]));

/** The number and kind of debtors, by the first word of an administration's id. */
const KINDS: { readonly [kind: string]: { readonly rows: number; readonly others?: object } } = {
  mine: { rows: 3 },
  wide: { rows: 10_000, others: everyText('12345.67') },
  long: { rows: 25_000 },
  wrong: { rows: 10_000, others: everyText({ not: ['a', 'text'] }) },
  texts: { rows: 500, others: { remark: 'x'.repeat(2_000) } },
  // Just below the 8 MB of a page that are read, and beyond.
  heavy: { rows: 500, others: { remark: 'x'.repeat(15_500) } },
  tooheavy: { rows: 500, others: { remark: 'x'.repeat(20_000) } },
  slow: { rows: 3 },
};

/** A REST service with as much data as a caller may own. Its answers are made once, so that it takes little time itself. */
export async function startLargeService() {
  const rows = new Map<string, readonly string[]>();
  const rowsOf = (kind: string): readonly string[] => {
    const { rows: count, others } = KINDS[kind] ?? { rows: 0 };
    const made = rows.get(kind) ?? times(count, (index) => JSON.stringify(debtor(index, others)));
    rows.set(kind, made);
    return made;
  };
  const pages = new Map<string, string>();
  const pageOf = (kind: string, cursor: string, size: number): string => {
    const key = `${kind} ${cursor} ${size}`;
    const start = cursor === '' ? 0 : Number(cursor.slice(1)) + 1;
    const end = start + size;
    const all = rowsOf(kind);
    const pagination = end < all.length ? `,"pagination":{"cursor":"${idOf(end - 1)}"}` : '';
    const made = pages.get(key) ?? `{"data":[${all.slice(start, end).join(',')}]${pagination}}`;
    pages.set(key, made);
    return made;
  };

  let held = Promise.resolve();
  const server = createServer(async ({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://x');
    const administration = searchParams.get('administration_id') ?? '';
    const [kind = ''] = administration.split('-');
    const owner = kind === 'mine' ? NEIGHBOUR : CALLER;
    if (headers.authorization !== `Bearer ${owner}`)
      return answer(response, 403, '{"code":"forbidden","message":"Not yours."}');
    if (kind === 'slow') await held;
    if (pathname !== '/v1/debtors') return answer(response, 200, '{"data":[]}');
    const ids = searchParams.get('ids')?.split(',');
    if (ids) {
      const found = ids.flatMap((id) => rowsOf(kind)[Number(id.slice(1))] ?? []);
      return answer(response, 200, `{"data":[${found}]}`.replaceAll(PLACE, administration));
    }
    const size = Number(searchParams.get('per_page') ?? 100);
    answer(
      response,
      200,
      pageOf(kind, searchParams.get('cursor') ?? '', size).replaceAll(PLACE, administration),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Leaves questions about slow administrations open until the function that it gives is called. */
    hold(): () => void {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(response: ServerResponse, status: number, body: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}
