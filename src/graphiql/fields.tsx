import { useEffect, useState } from 'react';
import type { Administration } from './viewer.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'password';
  readonly onCommit: (value: string) => void;
}

/** Commits when it is left or Enter is pressed: half a token must not be sent anywhere. */
export function Field({ label, value, type = 'text', onCommit }: FieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = () => {
    if (text !== value) onCommit(text);
  };
  return (
    <label>
      {label}
      <input
        type={type}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
    </label>
  );
}

interface AdministrationProps {
  readonly value: string;
  readonly choices: readonly Administration[];
  readonly onCommit: (id: string) => void;
}

/** A choice where it is known which there are, else text. */
export function AdministrationField({ value, choices, onCommit }: AdministrationProps) {
  if (choices.length === 0) return <Field label="Administration" value={value} onCommit={onCommit} />;
  return (
    <label>
      Administration
      <select value={value} onChange={(event) => onCommit(event.target.value)}>
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name === null ? id : `${id} ${name}`}
          </option>
        ))}
      </select>
    </label>
  );
}
