import {
  type Application,
  allScopes,
  application,
  demoCredentials,
  type Permission,
  restrictedApplication,
} from './applications.ts';
import { type DemoData, generateData } from './data/generate.ts';
import { type DemoRequest, HttpError } from './http.ts';

/** The lists whose parameter names the description does not specify. */
export type RenameableList = 'declarationLines' | 'deletedCreditCases' | 'deletedPayments';

export interface WorldOptions {
  /** The clock in milliseconds. */
  now?: () => number;
  /** Other parameter names for a list, by their default names. */
  parameterNames?: Partial<Record<RenameableList, Readonly<Record<string, string>>>>;
  unknownParameters?: 'refuse' | 'ignore';
  /** Pages have no more rows, whatever is asked for. */
  maxPerPage?: number;
  /** By default it is generated. */
  data?: DemoData;
}

/** The state shared by all endpoints. */
export interface World extends Readonly<Required<WorldOptions>> {
  readonly tokens: TokenStore;
}

export function createWorld(options: WorldOptions): World {
  const { now = Date.now, parameterNames = {}, unknownParameters = 'refuse', maxPerPage = 500 } = options;
  const { data = generateData(now()) } = options;
  return { now, parameterNames, unknownParameters, maxPerPage, data, tokens: createTokenStore(now) };
}

const ACCESS_TOKEN_LIFETIME = 7_200_000;
const REFRESH_TOKEN_LIFETIME = 90 * 86_400_000;

/** A grant: to which application, for which company, and with which scopes. */
interface Grant {
  readonly application: Application;
  readonly companyId: string;
  readonly scopes: readonly Permission[];
}

export interface IssuedToken extends Grant {
  readonly value: string;
  readonly createdAt: number;
  /** Infinity for a token that does not expire. */
  readonly expiresAt: number;
}

interface RefreshToken {
  readonly value: string;
  readonly access: IssuedToken;
  readonly expiresAt: number;
}

type TokenStore = ReturnType<typeof createTokenStore>;

function createTokenStore(now: () => number) {
  const accessTokens = new Map<string, IssuedToken>();
  const refreshTokens = new Map<string, RefreshToken>();
  let issued = 0;

  function add(value: string, grant: Grant, expiresAt: number): IssuedToken {
    const token = { ...grant, value, createdAt: now(), expiresAt };
    accessTokens.set(value, token);
    return token;
  }

  /** Issues a token pair for an authorization_code application. */
  function issuePair(grant: Grant): RefreshToken {
    issued += 1;
    const value = `demo-refresh-token-${issued}`;
    const access = add(`demo-access-token-${issued}`, grant, now() + ACCESS_TOKEN_LIFETIME);
    const refresh = { value, access, expiresAt: now() + REFRESH_TOKEN_LIFETIME };
    refreshTokens.set(value, refresh);
    return refresh;
  }

  function issueForClient(client: Application): IssuedToken {
    issued += 1;
    // Such an application is connected only to the company that owns it.
    const [companyId = ''] = client.companyIds;
    const grant = { application: client, companyId, scopes: allScopes };
    return add(`demo-access-token-${issued}`, grant, Infinity);
  }

  function find<T extends { expiresAt: number }>(
    tokens: ReadonlyMap<string, T>,
    value: string,
  ): T | undefined {
    const token = tokens.get(value);
    return token && token.expiresAt > now() ? token : undefined;
  }

  /** Rotation: the refresh token is invalidated in the same step that issues its successor. */
  function refresh(client: Application, value: string): RefreshToken {
    const token = find(refreshTokens, value);
    if (token?.access.application !== client) {
      throw new HttpError(400, 'invalid_grant', 'The refresh token is unknown, expired or already used.');
    }
    refreshTokens.delete(value);
    return issuePair(token.access);
  }

  const companyA = { application, companyId: '101', scopes: allScopes };
  const { tokens } = demoCredentials;
  add(tokens.companyA, companyA, Infinity);
  add(tokens.companyB, { ...companyA, companyId: '102' }, Infinity);
  add(tokens.readOnlyDebtors, { ...companyA, scopes: ['debtors:read'] }, Infinity);
  add(tokens.restricted, { ...companyA, application: restrictedApplication }, Infinity);
  issuePair(companyA);

  return {
    findAccess: (value: string) => find(accessTokens, value),
    findRefresh: (value: string) => find(refreshTokens, value),
    refresh,
    issueForClient,
    revoke: (token: IssuedToken) => accessTokens.delete(token.value),
  };
}

export interface Endpoint {
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** `{id}` matches one segment, which is passed to `handle` decoded. */
  readonly path: string;
  /** Returns the body of a 200, or throws an HttpError. */
  handle(request: DemoRequest, world: World, id: string): unknown;
}
