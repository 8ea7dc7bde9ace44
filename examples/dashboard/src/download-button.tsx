import { useCallback, useEffect, useState } from 'react';
import { Failure } from './failure.tsx';
import { type Connection, download, GatewayError } from './gateway.ts';
import { graphql } from './generated/index.ts';
import { argumentsOf, type Question } from './question.ts';
import { useLatest } from './use-latest.ts';
import { useRenewal } from './use-renewal.ts';

// An export needs a single list: its selection becomes the columns.
const ExportDebtors = graphql(`
  query ExportDebtors($administrationId: ID!, $where: DebtorWhere, $orderBy: [DebtorOrder!]) {
    debtors(administrationId: $administrationId, where: $where, orderBy: $orderBy) {
      nodes {
        ...DebtorRow
      }
    }
  }
`);

/** How long the button confirms the download. */
const DONE_MS = 4_000;

interface State {
  readonly step: 'idle' | 'busy' | 'done';
  readonly error?: GatewayError;
}

const WORDS = { idle: 'Download CSV', busy: 'Downloading…', done: 'Downloaded' };

interface Properties {
  readonly connection: Connection;
  readonly question: Question;
  onToken(token: string): void;
}

/** Saves all debtors that match the question, as the gateway exports them. */
export function DownloadButton({ connection, question, onToken }: Properties) {
  const { administrationId, token, renewals } = connection;
  const [{ step, error }, setState] = useState<State>({ step: 'idle' });

  const start = useLatest(
    useCallback(
      async (signal: AbortSignal) => {
        setState({ step: 'busy' });
        try {
          const variables = { administrationId, ...argumentsOf(question) };
          save(await download(token(), ExportDebtors, variables, signal), `debtors-${administrationId}.csv`);
          if (!signal.aborted) setState({ step: 'done' });
        } catch (error) {
          if (!signal.aborted) setState({ step: 'idle', error: GatewayError.from(error) });
        }
      },
      [administrationId, token, question],
    ),
  );

  useRenewal(renewals, error?.isRefusal ?? false, start);

  useEffect(() => {
    if (step !== 'done') return undefined;
    const timer = setTimeout(() => setState({ step: 'idle' }), DONE_MS);
    return () => clearTimeout(timer);
  }, [step]);

  return (
    <>
      <button
        type="button"
        className="quiet download"
        aria-disabled={step === 'busy'}
        onClick={() => step === 'busy' || start()}
      >
        <span aria-live="polite">{WORDS[step]}</span>
      </button>
      {error && <Failure title="Nothing was downloaded" error={error} onRetry={start} onToken={onToken} />}
    </>
  );
}

/** A link cannot send the token in a header, so `fetch` downloads the file. */
function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
