import type { Plugin } from 'graphql-yoga';
import { isUnexpected, publicError } from '../errors.ts';
import type { Log } from '../log.ts';

/** Every error, wherever it arose, leaves through here: coded, masked, and with the id of its request. */
export function useErrors(log: Log): Plugin {
  return {
    onResultProcess({ request, result, setResult }) {
      if (!('errors' in result) || !result.errors?.length) return;
      const requestId = request.headers.get('x-request-id') ?? '';
      const errors = result.errors.map((error) => {
        if (isUnexpected(error))
          log('error', 'unexpected error', { requestId, error: String(error.originalError) });
        return publicError(error, requestId);
      });
      setResult({ ...result, errors });
    },
  };
}
