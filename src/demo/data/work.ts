import * as names from './names.ts';
import { leaveOutSomeNulls, type Random } from './random.ts';
import {
  claimStatuses,
  completedStatuses,
  type Debtor,
  type DeclarationLine,
  type DeletedCreditCase,
  type DeletedPayment,
  type Task,
} from './records.ts';

const DAY = 86_400_000;

export function createTask(random: Random, id: string, debtor: Debtor): Task {
  const isCompleted = random.chance(0.6);
  const employee = random.integer(0, names.firstNames.length - 1);
  const comments = random.chance(0.5) ? random.integer(1, 4) : 0;
  return leaveOutSomeNulls(random, {
    id,
    administration_id: debtor.administration_id,
    expiry_date: random.orNull(0.2, () => random.moment(60).slice(0, 10)),
    created_at: random.moment(400, 60),
    updated_at: random.moment(60),
    completed_at: isCompleted ? random.moment(60) : null,
    assigned_to_user: random.orNull(0.3, () => ({
      id: String(201 + employee),
      name: `${names.firstNames[employee]} ${random.pick(names.lastNames)}`,
      email_address: `user.${201 + employee}@example.com`,
    })),
    credit_case_id: random.orNull(0.4, () => random.fill('71####')),
    debtor_id: random.orNull(0.1, () => debtor.id),
    invoice_id: random.orNull(0.5, () => random.fill('91####')),
    description: random.orNull(0.4, () => random.pick(names.remarks)),
    subject: random.pick(names.taskSubjects),
    completed_status: isCompleted ? random.pick(completedStatuses) : null,
    completed_status_message: isCompleted
      ? random.orNull(0.5, () => random.pick(names.completionMessages))
      : null,
    comments: Array.from({ length: comments }, (_, index) => ({
      id: `${id}-${index + 1}`,
      content: random.pick(names.taskComments),
      created_at: random.moment(60),
    })),
  });
}

export function createDeclarationLine(random: Random, id: string, administrationId: string): DeclarationLine {
  const claim = random.chance(0.9);
  return leaveOutSomeNulls(random, {
    id,
    administration_id: administrationId,
    claim,
    claim_status: claim ? random.pick(claimStatuses) : null,
    claim_response_codes: names.claimResponseCodes.filter(() => random.chance(0.2)),
    order_line_identifier: random.orNull(0.05, () => `OL-${id}`),
    product_identifier: random.orNull(0.1, () => random.fill('P-####')),
    // Few invoices, so that each one has several lines.
    invoice_identifier: random.orNull(0.1, () => `INV-${administrationId}-${random.integer(1, 200)}`),
    credit_invoice_identifier: random.orNull(0.85, () => random.fill('CRE-#####')),
    amount: random.amount(),
    credited_amount: random.orNull(0.6, () => random.amount()),
    credited_reimbursed_amount: random.orNull(0.8, () => random.amount()),
    rejected_amount: random.orNull(0.6, () => random.amount()),
    reimbursed_amount: random.orNull(0.4, () => random.amount()),
    customer: random.orNull(0.2, () => ({
      email_address: random.orNull(0.2, () => `patient.${random.fill('####')}@example.com`),
    })),
    deeplink_url: random.orNull(0.1, () => `https://app.example.com/declaration_lines/${id}`),
    created_at: random.moment(500, 100),
    updated_at: random.moment(100),
  });
}

/** Some of the debtors are deleted too: their ids are in the gaps between existing ids. */
export function createDeletedCreditCase(
  random: Random,
  id: string,
  debtor: Debtor,
  startedAt: number,
): DeletedCreditCase {
  return {
    id,
    administration_id: debtor.administration_id,
    debtor_id: random.chance(0.25) ? String(Number(debtor.id) + 1) : debtor.id,
    deleted_at: deletedAt(random, startedAt),
  };
}

export function createDeletedPayment(
  random: Random,
  id: string,
  administrationId: string,
  startedAt: number,
): DeletedPayment {
  return leaveOutSomeNulls(random, {
    id,
    administration_id: administrationId,
    origin_identifier: random.orNull(0.2, () => random.fill('BANK-########')),
    invoice_id: random.orNull(0.2, () => random.fill('91####')),
    deleted_at: deletedAt(random, startedAt),
  });
}

/** Relative to the clock, like retention; up to 120 days ago, so that some are already past it. */
function deletedAt(random: Random, startedAt: number): string {
  return new Date(startedAt - random.integer(3_600_000, 120 * DAY)).toISOString();
}
