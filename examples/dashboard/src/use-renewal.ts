import { useEffect, useRef } from 'react';

/** Repeats a rejected request after the user has entered another token anywhere on the page. */
export function useRenewal(renewals: number, isRefused: boolean, resume: () => void): void {
  const seen = useRef(renewals);

  useEffect(() => {
    if (seen.current === renewals) return;
    seen.current = renewals;
    if (isRefused) resume();
  }, [renewals, isRefused, resume]);
}
