import { useEffect, useState } from 'react';
import type { Administration } from './viewer.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  /** What a secret is called on its button: it is hidden until the user asks to see it. */
  readonly secret?: string;
  readonly className?: string;
  /** Shown while it is empty. */
  readonly placeholder?: string;
  /** Called as the text changes, and with false once it is committed. */
  readonly onEdit?: (isEdited: boolean) => void;
  readonly onCommit: (value: string) => void;
}

/** Commits when it is cleared or left, or Enter is pressed: half a token must not be sent anywhere. */
export function Field({ label, value, secret, className, placeholder, onEdit, onCommit }: FieldProps) {
  const [text, setText] = useState(value);
  const [isShown, show] = useState(false);
  useEffect(() => setText(value), [value]);
  const commit = (text: string) => {
    onEdit?.(false);
    if (text !== value) onCommit(text);
  };
  const edit = (text: string) => {
    setText(text);
    if (text === '') commit(text);
    else onEdit?.(true);
  };
  const field = (
    <label className={className}>
      {label}
      <input
        type={secret && !isShown ? 'password' : 'text'}
        value={text}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        onChange={(event) => edit(event.target.value)}
        onBlur={() => commit(text)}
        onKeyDown={(event) => event.key === 'Enter' && commit(text)}
      />
    </label>
  );
  if (!secret) return field;
  return (
    <span className="secret">
      {field}
      <button
        type="button"
        aria-label={`${isShown ? 'Hide' : 'Show'} ${secret}`}
        onClick={() => show(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'}
      </button>
    </span>
  );
}

interface AdministrationProps {
  readonly value: string;
  readonly choices: readonly Administration[];
  readonly onCommit: (id: string) => void;
}

/** A choice where it is known which there are, else text. */
export function AdministrationField({ value, choices, onCommit }: AdministrationProps) {
  if (choices.length === 0)
    return <Field label="Administration" value={value} className="administration" onCommit={onCommit} />;
  return (
    <label className="administration">
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
