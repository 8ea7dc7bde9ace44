import { ibanOf } from './countries.ts';
import {
  type Creditor,
  createKind,
  createName,
  creditorOf,
  organisationMail,
  personMail,
} from './creditors.ts';
import type { Town } from './places.ts';
import { amountOf, leaveOutSomeNulls, type Random } from './random.ts';
import type { Debtor, PostalAddress } from './records.ts';
import {
  createStanding,
  creditLimit,
  labelsFor,
  type PaymentStanding,
  roundAmount,
  situationFields,
} from './standing.ts';

export function createDebtor(random: Random, id: string, number: number, administrationId: string): Debtor {
  const creditor = creditorOf(administrationId);
  const place = random.pick(random.pick(creditor.places));
  const { country, culture } = place;
  const kind = createKind(random, creditor, place);
  const isOrganisation = kind !== 'person';
  const name = createName(random, kind, place);
  const hasAccount = random.chance(0.7);
  const standing = createStanding(random, creditor.most[kind]);
  const since = random.integer(2, 120);

  return leaveOutSomeNulls(random, {
    id,
    administration_id: administrationId,
    debtor_number: `D${number}`,
    debtor_identifier: `ERP-${number}`,
    name,
    postal_address: createAddress(random, place, isOrganisation),
    bank_account_name: hasAccount ? name : null,
    bank_account_number: hasAccount ? ibanOf(country, random) : null,
    book_open_amount: amountOf(standing.open),
    call_phone_number: random.orNull(0.4, () => random.fill(isOrganisation ? place.phone : country.mobile)),
    sms_phone_number: random.orNull(isOrganisation ? 0.9 : 0.4, () => random.fill(country.mobile)),
    ...createRegistration(random, place, isOrganisation),
    credit_limit_amount: random.orNull(isOrganisation ? 0.4 : 0.97, () =>
      amountOf(creditLimit(random, standing)),
    ),
    ...createMail(random, place, name, isOrganisation),
    internal_note_email_address: random.orNull(0.7, () => creditor.noteAddress),
    public_url: `https://portal.example.com/d/${id}`,
    deeplink_url: `https://app.example.com/debtors/${id}`,
    labels: labelsFor(random, standing, isOrganisation),
    language_code: random.orNull(0.1, () => culture.language),
    payment_behaviour: random.orNull(standing.situation === 'usual' ? 0.25 : 0, () => standing.daysLate),
    relation_manager: random.orNull(isOrganisation ? 0.3 : 0.7, () => random.pick(creditor.employees)),
    ...situationFields(random, standing.situation, random.moment(since + 1, since)),
    updated_at: random.moment(standing.situation === 'usual' ? 700 : since),
    ...createMonitoredLimits(random, creditor, place, isOrganisation ? standing : undefined),
  });
}

function createAddress(random: Random, place: Town, isOrganisation: boolean): PostalAddress {
  const { city, country, culture, postalCode, region } = place;
  const house = String(random.integer(1, 160));
  const street = random.pick(culture.streets);
  return leaveOutSomeNulls(random, {
    city,
    country_code: country.code,
    postal_code: random.orNull(0.05, () => random.fill(postalCode)),
    region,
    street_1: random.orNull(0.05, () =>
      street.includes('%') ? street.replace('%', house) : `${street} ${house}`,
    ),
    street_2:
      isOrganisation && culture.language === 'nl'
        ? random.orNull(0.7, () => `Gebouw ${random.pick(['A', 'B', 'C'])}`)
        : null,
  });
}

/** Only organisations are registered. */
function createRegistration(random: Random, { country }: Town, isOrganisation: boolean) {
  if (!isOrganisation) {
    const peppol_enabled = random.orNull(0.9, () => false);
    return { coc_number: null, vat_number: null, peppol_identifier: null, peppol_enabled };
  }
  const coc = random.fill(country.companyNumber);
  const digits = coc.replace(/\D/g, '');
  const vat = country.code + random.fill(country.vatNumber.replace('{no}', digits));
  const peppol = random.orNull(0.5, () =>
    country.peppolIdentifier.replace('{no}', digits).replace('{vat}', vat),
  );
  return {
    coc_number: coc,
    vat_number: vat,
    peppol_identifier: peppol,
    peppol_enabled: peppol === null ? random.orNull(0.7, () => false) : random.pick([true, null]),
  };
}

function createMail(random: Random, { culture }: Town, name: string, isOrganisation: boolean) {
  const { general, invoices, accounts, management } = culture.mailboxes;
  /** How often there is no address follows the mailbox of an organisation, or the form of a person's name. */
  const mail = (
    [mailbox, withoutIt]: [string, number],
    person: ['whole' | 'initial', withoutIt: number] | null,
  ) => {
    if (isOrganisation) return random.orNull(withoutIt, () => organisationMail(name, mailbox));
    return person && random.orNull(person[1], () => personMail(name, person[0]));
  };
  return {
    debtor_provided_email_address: mail([accounts, 0.8], ['initial', 0.8]),
    primary_email_address: mail([general, 0.1], ['whole', 0.1]),
    invoice_email_address: mail([invoices, 0.3], ['whole', 0.5]),
    invoice_cc_email_address: mail([accounts, 0.85], ['initial', 0.95]),
    invoice_bcc_email_address: mail(['archief', 0.95], null),
    reminder_email_address: mail([accounts, 0.5], ['whole', 0.7]),
    reminder_cc_email_address: mail([management, 0.85], ['initial', 0.95]),
    reminder_bcc_email_address: mail(['archief', 0.95], null),
  };
}

/** Those who rate credit know organisations only. */
function createMonitoredLimits(
  random: Random,
  { monitoring }: Creditor,
  { country }: Town,
  standing: PaymentStanding | undefined,
) {
  const rated = standing && random.chance(0.8) ? creditLimit(random, standing) : undefined;
  const learned = standing && Math.max(0, creditLimit(random, standing) * (1 - standing.daysLate / 40));
  return {
    ...(monitoring !== 'none' && {
      external_credit_limit_amount: rated === undefined ? null : roundAmount(rated * country.perEuro),
      external_credit_limit_currency_code: rated === undefined ? null : country.currency,
    }),
    ...(monitoring === 'external and autogenerated' && {
      autogenerated_credit_limit_amount: learned === undefined ? null : roundAmount(learned),
    }),
  };
}
