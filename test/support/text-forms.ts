import { expect } from 'vitest';
import { BOTH, type TestGateway, useGateway } from './gateway.ts';
import type { DemoData, DemoService } from './rest-service.mjs';

/** Text that goes wrong where it is decoded once too often, or not at all. */
export const TEXTS = [
  'Noëlle',
  'Łódź',
  '漢字かな',
  '😀👩‍👩‍👧',
  'שלום עולם',
  'مرحبا',
  'é',
  // The bytes of the one before, each taken for a character.
  'Ã©',
  'e\u0301',
  '\u0080\u00ff',
  '\u2028"\\/\t',
  '\ufffd\ufeff',
  'plain',
];

const COMPANY = '101';
const THEN = '2025-06-30T10:00:00.000Z';
const ADMINISTRATIONS = ['Łódź', 'é', 'Ã©'] as const;

/** Everything that the service holds is made of such texts, ids and all. */
function createData(): DemoData {
  const debtors = ADMINISTRATIONS.flatMap((administration_id) =>
    TEXTS.map((text, index) => ({
      id: index % 2 === 0 ? text : `${index}${text}`.repeat(8),
      administration_id,
      debtor_number: `№${text}`,
      debtor_identifier: `${text}#`,
      name: `${text} ${administration_id}`,
      postal_address: { city: text, country_code: 'PL' },
      labels: [{ name: text }],
      updated_at: THEN,
    })),
  );
  return {
    companies: [{ id: COMPANY, name: 'Møller & Zonen 漢', status: 'active', trial: false }],
    administrations: ADMINISTRATIONS.map((id) => ({ id, name: `Books ${id}`, company_id: COMPANY })),
    debtors,
    tasks: debtors.map(({ id, administration_id, name }, index) => ({
      id: `T${index}${name}`,
      administration_id,
      debtor_id: id,
      subject: name,
      assigned_to_user: { id: name, name, email_address: 'é@example.org' },
      comments: [{ id: name, content: name, created_at: THEN }],
      created_at: THEN,
      updated_at: THEN,
    })),
    messages: [],
    declarationLines: [],
    deletedCreditCases: debtors.map(({ id, administration_id }, index) => ({
      id: `C${index}${id}`,
      administration_id,
      debtor_id: id,
      deleted_at: new Date().toISOString(),
    })),
    deletedPayments: [],
  };
}

export interface Seen {
  readonly status: number;
  /** One character for each byte. */
  readonly body: string;
  readonly calls: readonly string[];
}

export interface TextForms {
  readonly rest: DemoService;
  /** Its text stays as it travels. */
  readonly wire: TestGateway;
  /** Its text is decoded, since it has a plugin. */
  readonly decoded: TestGateway;
  seenBy(gateway: TestGateway, query: string, variables?: object): Promise<Seen>;
  /** Runs an operation in both forms: the bytes of the responses and the REST calls must be the same. Gives the text. */
  expectSame(query: string, variables?: object): Promise<string>;
}

/** Two gateways over one service, each with another form of text. */
export async function useTextForms(): Promise<TextForms> {
  const wire = await useGateway({ rest: { data: createData() } });
  const { rest } = wire;
  const decoded = await useGateway({ gateway: { restUrl: new URL(rest.url), plugins: [{}] } });

  const seenBy: TextForms['seenBy'] = async (gateway, query, variables = {}) => {
    rest.calls.length = 0;
    const headers = { ...BOTH, 'x-explain': 'true' };
    const response = await gateway.post(JSON.stringify({ query, variables }), headers);
    const bytes = Buffer.from(await response.arrayBuffer());
    return {
      status: response.status,
      body: withoutTimes(bytes.toString('latin1')),
      calls: rest.calls.map(({ method, url }) => `${method} ${url}`),
    };
  };
  return {
    rest,
    wire,
    decoded,
    seenBy,
    async expectSame(query, variables) {
      const [one, other] = [await seenBy(wire, query, variables), await seenBy(decoded, query, variables)];
      expect(other).toEqual(one);
      return Buffer.from(one.body, 'latin1').toString('utf8');
    },
  };
}

/** What differs between any two responses. */
function withoutTimes(text: string): string {
  return text.replace(/"(requestId|milliseconds)":("[^"]+"|[\d.]+)/g, '"$1":0');
}
