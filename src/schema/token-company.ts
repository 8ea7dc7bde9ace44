import { InvalidValue } from '../execution/field-errors.ts';
import { badInput } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import type { Introspection, Named } from '../rest/oauth.ts';
import { Company } from './company.ts';

type CompanyRecord = typeof Company.$inferType;

/**
 * The company of a token: the same object as the one in `companies`, of which an introspection tells no more than id and
 * name. Null for the rest would replace, in a client's cache, what `companies` has told.
 */
class TokenCompany implements CompanyRecord {
  readonly id: Named['id'];
  readonly name: Named['name'];

  constructor({ id, name }: Named) {
    this.id = id;
    this.name = name;
  }

  get status(): never {
    throw onlyInList('status');
  }

  get trial(): never {
    throw onlyInList('trial');
  }

  get trial_ends_on(): never {
    throw onlyInList('trialEndsOn');
  }
}

function onlyInList(field: string) {
  return badInput(`A token tells only id and name of its company. Ask for \`${field}\` below \`companies\`.`);
}

/** The field `company` of a token. */
export const TOKEN_COMPANY = {
  type: Company,
  description:
    'The company that the token was granted for. Only its `id`, `internalId` and `name` are known here.',
  resolve: ({ company }: Introspection) => {
    if (company === undefined || company === null) return null;
    if (!isObject(company)) throw new InvalidValue('a company that is no object');
    return new TokenCompany(company);
  },
} as const;
