import { fromLatin1 } from '../rest/latin1.ts';
import { administrationsOf, type Introspection } from '../rest/oauth.ts';
import type { RestSession } from '../rest/session.ts';
import { type Finding, failed, passed } from './finding.ts';
import type { CheckedList } from './lists.ts';
import { sample } from './sample.ts';
import { refusedToken } from './token.ts';

const CHECK = 'administration';

interface Chosen {
  readonly finding: Finding;
  /** Absent where none is known. */
  readonly id?: string;
}

/** The administration to read from: the one asked for, or the first that the service shows. */
export async function chooseAdministration(
  session: RestSession,
  lists: readonly CheckedList[],
  asked: string | undefined,
  introspection: Introspection | undefined,
): Promise<Chosen> {
  const reached = (introspection && administrationsOf(introspection)) ?? [];
  if (asked !== undefined) {
    const ids = reached.map(({ id }) => fromLatin1(id));
    if (ids.length === 0 || ids.includes(asked)) {
      return { id: asked, finding: passed(CHECK, `${asked}, as asked for`) };
    }
    const advice = `Pass one that it does: ${ids.slice(0, 10).join(', ')}.`;
    return { finding: failed(CHECK, `the token does not reach ${asked}`, advice) };
  }
  const [first] = reached;
  if (first) {
    const id = fromLatin1(first.id);
    const name = typeof first.name === 'string' ? ` (${fromLatin1(first.name)})` : '';
    return { id, finding: passed(CHECK, `${id}${name}, the first that the token reaches`) };
  }
  return (
    (await firstShown(session, lists)) ?? {
      finding: failed(CHECK, 'none is known', 'Pass one that the token reaches: --administration <id>.'),
    }
  );
}

/** Where the description does not say that the administration is required, a list may answer without. */
async function firstShown(session: RestSession, lists: readonly CheckedList[]): Promise<Chosen | undefined> {
  for (const { resource } of lists) {
    if (!resource.filters.administrationId?.assumed) continue;
    const { row, error } = await sample(session, resource, {});
    const id = fromLatin1(row?.administration_id ?? '');
    if (id) return { id, finding: passed(CHECK, `${id}, that of the first row of ${resource.name}`) };
    if (error?.code === 'UNAUTHENTICATED') return { finding: refusedToken(session, error) };
  }
  return undefined;
}
