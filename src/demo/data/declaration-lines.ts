import { formatAmount, omitSomeNulls, parseCents, phrases, type Random, repeated } from './random.ts';
import type { ClaimStatus, DeclarationLine } from './records.ts';

/** The products of a practice with their prices in cents; the first are the most frequent. */
const PRODUCTS = phrases`
  P-1101 1172 | P-1102 2345 | P-1103 3518 | P-1204 4275 | P-1205 6412 | P-1310 9860 | P-1311 12745 | P-2020 18530 |
  P-2021 27390 | P-2450 48615 | P-3005 119480 | P-3300 284175
`.flatMap((product, index, { length }) => repeated([product.split(' '), length - index]));

const STATUSES = repeated<ClaimStatus>(
  ['processed', 10],
  ['submitted', 3],
  ['action_required', 2],
  ['draft', 2],
  ['failed', 1],
  ['auto_resubmit', 1],
);

const ACCEPTED = '0200';
const OBJECTIONS = phrases`8001 | 0451 | 9907 | A-17`;

export function createDeclarationLine(random: Random, id: string, administrationId: string): DeclarationLine {
  const claim = random.chance(0.9);
  const status = claim ? random.pick(STATUSES) : null;
  const [product = '', price] = random.pick(PRODUCTS);
  const amount = formatAmount(Number(price) * (random.chance(0.8) ? 1 : random.integer(2, 6)));
  const response = createInsurerResponse(random, amount, status);
  const age = random.integer(1, 500);
  const credited = (status === 'processed' || !claim) && random.chance(0.15);
  return omitSomeNulls(random, {
    id,
    administration_id: administrationId,
    claim,
    claim_status: status,
    ...response,
    order_line_identifier: random.orNull(0.05, () => `OL-${id}`),
    product_identifier: random.orNull(0.1, () => product),
    // There are few invoices, so each has several lines.
    invoice_identifier: random.orNull(0.1, () => `INV-${administrationId}-${random.integer(1, 200)}`),
    credit_invoice_identifier: credited ? random.fill('CRE-#####') : null,
    amount,
    credited_amount: credited ? amount : null,
    credited_reimbursed_amount: credited ? response.reimbursed_amount : null,
    customer: random.orNull(0.2, () => ({
      email_address: random.orNull(0.2, () => `patient.${random.fill('####')}@example.com`),
    })),
    deeplink_url: random.orNull(0.1, () => `https://app.example.com/declaration_lines/${id}`),
    created_at: random.moment(age + 1, age),
    updated_at: random.moment(Math.min(age, 100)),
  });
}

/** The response of the insurer: none yet, or a full, a partial or no payment. */
export function createInsurerResponse(random: Random, amount: string, status: ClaimStatus | null) {
  if (status === null || status === 'draft' || status === 'submitted') return createFields([], null, null);
  const objection = random.pick(OBJECTIONS);
  if (status !== 'processed') return createFields([objection], null, amount);
  if (random.chance(0.8)) return createFields([ACCEPTED], amount, null);
  const rejected = Math.floor((parseCents(amount) * random.integer(10, 60)) / 100);
  return createFields(
    [ACCEPTED, objection],
    formatAmount(parseCents(amount) - rejected),
    formatAmount(rejected),
  );
}

function createFields(codes: string[], reimbursed_amount: string | null, rejected_amount: string | null) {
  return { claim_response_codes: codes, reimbursed_amount, rejected_amount };
}
