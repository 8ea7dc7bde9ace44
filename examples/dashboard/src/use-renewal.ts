import { useEffect, useRef } from 'react';

/** Goes on with what was refused once another token is given, wherever on the page that happens. */
export function useRenewal(renewals: number, isRefused: boolean, goOn: () => void): void {
  const seen = useRef(renewals);

  useEffect(() => {
    if (seen.current === renewals) return;
    seen.current = renewals;
    if (isRefused) goOn();
  }, [renewals, isRefused, goOn]);
}
