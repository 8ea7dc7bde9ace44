import { useEffect, useId, useState } from 'react';
import type { Reach } from './session.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly isSecret?: boolean;
  /** Shown while it is empty. */
  readonly placeholder?: string;
  /** To choose from, where it is known which there are. */
  readonly choices?: Reach['administrations'];
  readonly onCommit: (value: string) => void;
}

/** Commits when it is cleared or left, or Enter is pressed: half a token must not be sent anywhere. */
export function StripField({ label, value, isSecret, placeholder, choices = [], onCommit }: FieldProps) {
  const [text, setText] = useState(value);
  const id = useId();
  useEffect(() => setText(value), [value]);
  const commit = (text: string) => text !== value && onCommit(text);
  const edit = (text: string) => {
    setText(text);
    if (text === '' || choices.length > 0) commit(text);
  };
  return (
    <label htmlFor={id}>
      {label}
      {choices.length > 0 ? (
        <select id={id} value={text} onChange={(event) => edit(event.target.value)}>
          {choices.map(({ internalId, name }) => (
            <option key={internalId} value={internalId}>
              {name === null ? internalId : `${internalId} ${name}`}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type={isSecret ? 'password' : 'text'}
          value={text}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          onChange={(event) => edit(event.target.value)}
          onBlur={() => commit(text)}
          onKeyDown={(event) => event.key === 'Enter' && commit(text)}
        />
      )}
    </label>
  );
}
