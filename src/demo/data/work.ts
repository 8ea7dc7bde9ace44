import { getCreditor } from './debtors.ts';
import { omitSomeNulls, phrases, type Random } from './random.ts';
import { completedStatuses, type Debtor, type DeletedPayment, type Task } from './records.ts';

const JOBS = phrases`
  Bel de debiteur: Twee herinneringen zijn onbeantwoord gebleven. |
  Beoordeel het betalingsvoorstel: De debiteur stelt voor om in termijnen te betalen. |
  Vraag een nieuw e-mailadres op: E-mail kan niet worden bezorgd.
`;

const COMMENTS = phrases`Niet bereikbaar, morgen opnieuw. | Toegezegd te betalen vóór vrijdag. | Voicemail ingesproken.`;

const OUTCOMES = {
  succeeded: 'Afgerond na telefonisch contact.',
  failed: 'Debiteur niet bereikt.',
  cleaned_up: 'Factuur is inmiddels betaald.',
} as const;

/** A task is created, then commented on, then completed; days count back from "today". */
export function createTask(random: Random, id: string, debtor: Debtor): Task {
  const { employees } = getCreditor(debtor.administration_id);
  const name = random.pick(employees);
  const userId = String(201 + employees.indexOf(name));
  const user = { id: userId, name, email_address: `user.${userId}@example.com` };
  const [subject = '', description = ''] = random.pick(JOBS).split(': ');
  const createdDay = random.integer(60, 400);
  const commentedAt = Array.from({ length: random.chance(0.5) ? random.integer(1, 4) : 0 }, (_, index) =>
    random.moment(createdDay - index * 5, createdDay - index * 5 - 4),
  );
  const completedDay = createdDay - random.integer(22, 50);
  const status = random.chance(0.6) ? random.pick(completedStatuses) : null;
  const completedAt = status && random.moment(completedDay + 1, completedDay);
  const createdAt = random.moment(createdDay + 1, createdDay);
  return omitSomeNulls(random, {
    id,
    administration_id: debtor.administration_id,
    expiry_date: random.orNull(0.2, () => random.moment(createdDay - 14, createdDay - 28).slice(0, 10)),
    created_at: createdAt,
    updated_at: completedAt ?? commentedAt.at(-1) ?? createdAt,
    completed_at: completedAt,
    assigned_to_user: random.orNull(0.3, () => user),
    credit_case_id: random.orNull(0.4, () => random.fill('71####')),
    debtor_id: random.orNull(0.1, () => debtor.id),
    invoice_id: random.orNull(0.5, () => random.fill('91####')),
    description: random.orNull(0.4, () => description),
    subject,
    completed_status: status,
    completed_status_message: status && random.orNull(0.5, () => OUTCOMES[status]),
    comments: commentedAt.map((created_at, index) => {
      return { id: `${id}-${index + 1}`, content: random.pick(COMMENTS), created_at };
    }),
  });
}

/** Some of the debtors do not exist: their ids are in the gaps between ids. */
export function createDeletedCreditCase(random: Random, id: string, debtor: Debtor) {
  return {
    id,
    administration_id: debtor.administration_id,
    debtor_id: random.chance(0.25) ? String(Number(debtor.id) + 1) : debtor.id,
    deleted_at: deletedAt(random),
  };
}

export function createDeletedPayment(random: Random, id: string, administrationId: string): DeletedPayment {
  return omitSomeNulls(random, {
    id,
    administration_id: administrationId,
    origin_identifier: random.orNull(0.2, () => random.fill('BANK-########')),
    invoice_id: random.orNull(0.2, () => random.fill('91####')),
    deleted_at: deletedAt(random),
  });
}

/** Counts back from the start of a service, up to 120 days, so that some deletions exceed the retention. */
function deletedAt(random: Random): string {
  return new Date(-random.integer(3_600_000, 120 * 86_400_000)).toISOString();
}
