import type { Credentials } from '../pages/graphiql.ts';
import { adviceOn } from './advice.ts';
import { errorsIn } from './answer-errors.ts';
import { isRecord } from './json.ts';
import { requestHeaders } from './request-headers.ts';
import { sendForJson, whole } from './send.ts';

export interface Administration {
  readonly id: string;
  readonly name: string | null;
}

/** What a token reaches. Without a list of administrations, `note` says why. */
export interface Reach {
  readonly administrations: readonly Administration[];
  readonly note: string;
  readonly isRefused: boolean;
}

const QUERY = '{ viewer { company { name } administrations { internalId name } } }';

/** Throws a `NoAnswer` if nothing comes back. */
export async function askViewer(endpoint: string, credentials: Credentials): Promise<Reach> {
  if (!credentials.token) return unknownReach('Paste an access token into the box: every tab sends it.');
  const headers = requestHeaders(credentials, {});
  const response = await sendForJson({ url: endpoint, headers, operation: { query: QUERY } });
  return readReach(await whole(response.json()));
}

export function readReach(body: unknown): Reach {
  const viewer = isRecord(body) && isRecord(body.data) ? body.data.viewer : undefined;
  if (isRecord(viewer)) {
    const { company, administrations } = viewer;
    return {
      administrations: Array.isArray(administrations) ? administrations.flatMap(readAdministration) : [],
      note: isRecord(company) && typeof company.name === 'string' ? `Company: ${company.name}` : '',
      isRefused: false,
    };
  }
  const [error] = errorsIn(body);
  // Operations do without the list of administrations.
  if (error?.code === 'NOT_CONFIGURED')
    return unknownReach(
      'To choose from a list of administrations, give the client id and secret of the application.',
    );
  const advice = adviceOn(body, false);
  if (advice?.strip) return { administrations: [], note: advice.strip, isRefused: true };
  return unknownReach(error?.message ?? '');
}

function unknownReach(note: string): Reach {
  return { administrations: [], note, isRefused: false };
}

function readAdministration(value: unknown): Administration[] {
  if (!isRecord(value) || typeof value.internalId !== 'string') return [];
  return [{ id: value.internalId, name: typeof value.name === 'string' ? value.name : null }];
}
