import { useCallback, useEffect, useState } from 'react';
import { execute, GatewayError } from './gateway.ts';
import type { AdministrationsQuery } from './generated/graphql.ts';
import { graphql } from './generated/index.ts';
import { useLatest } from './use-latest.ts';
import { useRenewal } from './use-renewal.ts';

const Administrations = graphql(`
  query Administrations {
    viewer {
      administrations {
        internalId
        name
      }
    }
  }
`);

export type Administration = NonNullable<AdministrationsQuery['viewer']>['administrations'][number];

interface State {
  /** Absent until loaded. */
  readonly administrations?: readonly Administration[];
  readonly error?: GatewayError;
}

/** Lists the administrations of a token. A gateway may be unable to: it has to introspect the token. */
export function useAdministrations(token: () => string, renewals: number) {
  const [state, setState] = useState<State>({});

  const load = useLatest(
    useCallback(
      async (signal: AbortSignal) => {
        setState({});
        try {
          const { data, error } = await execute(token(), Administrations, {}, signal);
          if (!data?.viewer) throw error;
          if (!signal.aborted) setState(data.viewer);
        } catch (error) {
          if (!signal.aborted) setState({ error: GatewayError.from(error) });
        }
      },
      [token],
    ),
  );

  useEffect(load, [load]);
  useRenewal(renewals, state.error !== undefined, load);

  return { ...state, load };
}
