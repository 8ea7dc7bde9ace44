import { useCallback, useState } from 'react';
import { Failure } from './failure.tsx';
import { type Connection, download, GatewayError } from './gateway.ts';
import { graphql } from './generated/index.ts';
import { argumentsOf, type Question } from './question.ts';
import { useLatest } from './use-latest.ts';
import { useRenewal } from './use-renewal.ts';

// One list and nothing beside it is what an export takes: its selection becomes the columns.
const ExportDebtors = graphql(`
  query ExportDebtors($administrationId: ID!, $where: DebtorWhere, $orderBy: [DebtorOrder!]) {
    debtors(administrationId: $administrationId, where: $where, orderBy: $orderBy) {
      nodes {
        ...DebtorRow
      }
    }
  }
`);

interface Properties {
  readonly connection: Connection;
  readonly question: Question;
  onToken(token: string): void;
}

/** Saves all that the question finds, as the gateway writes it. */
export function DownloadButton({ connection, question, onToken }: Properties) {
  const { administrationId, token, renewals } = connection;
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: GatewayError }>({
    isBusy: false,
  });

  const start = useLatest(
    useCallback(
      async (signal: AbortSignal) => {
        setState({ isBusy: true });
        try {
          const variables = { administrationId, ...argumentsOf(question) };
          save(await download(token(), ExportDebtors, variables, signal), `debtors-${administrationId}.csv`);
          if (!signal.aborted) setState({ isBusy: false });
        } catch (error) {
          if (!signal.aborted) setState({ isBusy: false, error: GatewayError.from(error) });
        }
      },
      [administrationId, token, question],
    ),
  );

  useRenewal(renewals, state.error?.isRefusal ?? false, start);

  return (
    <>
      <button
        type="button"
        className="quiet"
        aria-disabled={state.isBusy}
        onClick={() => state.isBusy || start()}
      >
        {state.isBusy ? 'Downloading…' : 'Download CSV'}
      </button>
      {state.error && (
        <Failure title="Nothing was downloaded" error={state.error} onRetry={start} onToken={onToken} />
      )}
    </>
  );
}

/** A link could not send the token in a header, so the file comes by `fetch`. */
function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
