import type { Row } from './read-rows.ts';

/** How far an export has come. */
export interface Position {
  /** The cursor of the last row; undefined before the first. */
  readonly after: string | undefined;
  readonly rows: number;
  /** Of the output, where it is a file: what stands behind them is not counted yet. */
  readonly bytes: number;
}

export const START: Position = { after: undefined, rows: 0, bytes: 0 };

/** Where the rows of an export go. */
export interface Output {
  /** With those that are not written yet. */
  readonly rows: number;
  /** Undefined where there is nothing to wait for. */
  add(row: Row): Promise<unknown> | undefined;
  /** Writes what has been added. */
  flush(): Promise<Position>;
  /** Takes back what came behind a position that `flush` has returned. */
  rollBack(position: Position): Promise<void>;
  /** All rows are there. */
  complete(): Promise<void>;
  /** They are not, and perhaps never will be. Returns a sentence on what is left. */
  keep(): Promise<string>;
}

/** What rows are written as, and what stands before them. */
export interface RowFormat {
  readonly header: string;
  readonly line: (row: Row) => string;
}
