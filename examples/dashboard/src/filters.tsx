import { type ReactNode, useId } from 'react';
import { readAmount, SAMPLE } from './money.ts';
import type { Question } from './question.ts';

interface Properties {
  readonly question: Question;
  /** All available options. */
  readonly labels: readonly string[];
  onAsk(question: Question): void;
  readonly children: ReactNode;
}

export function Filters({ question, labels, onAsk, children }: Properties) {
  const id = useId();
  // Includes the selected one while the options are loading.
  const choices = new Set(question.label === '' ? labels : [...labels, question.label]);
  const isWrong = question.minimum.trim() !== '' && readAmount(question.minimum) === undefined;
  return (
    <search className="filters">
      <div className="control">
        <label htmlFor={`${id}-text`}>Name or number</label>
        <input
          id={`${id}-text`}
          type="search"
          value={question.text}
          onChange={(event) => onAsk({ ...question, text: event.target.value })}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <div className="control">
        <label htmlFor={`${id}-label`}>Label</label>
        <select
          id={`${id}-label`}
          value={question.label}
          onChange={(event) => onAsk({ ...question, label: event.target.value })}
        >
          <option value="">All</option>
          {[...choices].map((label) => (
            <option key={label}>{label}</option>
          ))}
        </select>
      </div>
      <div className="control">
        <label htmlFor={`${id}-minimum`}>Open amount from{isWrong && `: such as ${SAMPLE}`}</label>
        <input
          id={`${id}-minimum`}
          inputMode="decimal"
          aria-invalid={isWrong}
          value={question.minimum}
          onChange={(event) => onAsk({ ...question, minimum: event.target.value })}
          autoComplete="off"
        />
      </div>
      {children}
    </search>
  );
}
