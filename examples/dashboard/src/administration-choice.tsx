import { type FormEvent, useId } from 'react';
import type { Administration } from './use-administrations.ts';

interface Properties {
  /** Absent if the administrations are unknown: the user can then enter any id. */
  readonly administrations?: readonly Administration[] | undefined;
  readonly chosen: string | undefined;
  onChoose(administrationId: string): void;
}

export function AdministrationChoice({ administrations, chosen, onChoose }: Properties) {
  const id = useId();

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('administration')).trim();
    if (typed) onChoose(typed);
  }

  return (
    <div className="control">
      <label htmlFor={id}>Administration</label>
      {administrations ? (
        <select id={id} value={chosen} onChange={(event) => onChoose(event.target.value)}>
          {administrations.map(({ internalId, name }) => (
            <option key={internalId} value={internalId}>
              {name ?? internalId}
            </option>
          ))}
        </select>
      ) : (
        <form onSubmit={submit}>
          <input id={id} name="administration" required autoComplete="off" spellCheck={false} />
          <button type="submit">Show</button>
        </form>
      )}
    </div>
  );
}
