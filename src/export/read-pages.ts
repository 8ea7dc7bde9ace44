import type { ExecutionResult } from 'graphql';
import type { ExportPlan, PageRequest } from './export-plan.ts';

/** A page that is being read. */
export interface ReadingPage {
  readonly result: Promise<ExecutionResult>;
  /** Releases what it holds. */
  end(): void;
}

/**
 * Reads the pages of a list, each as the result of an operation. The next one is asked for while the last is written,
 * and no further: whoever stops reading stops the calls.
 */
export async function* readPages(
  plan: ExportPlan,
  read: (page: PageRequest) => ReadingPage,
): AsyncGenerator<ExecutionResult, void, undefined> {
  let rows = 0;
  let next: ReadingPage | undefined = start(read, plan.firstPage());
  try {
    while (next) {
      const page: ReadingPage = next;
      next = undefined;
      try {
        const result = await page.result;
        rows += rowCount(plan, result);
        const request = plan.nextPage(result, rows);
        next = request && start(read, request);
        yield result;
      } finally {
        page.end();
      }
    }
  } finally {
    next?.end();
  }
}

/** Nothing awaits a page while the one before it is written, and an unhandled rejection would end the process. */
function start(read: (page: PageRequest) => ReadingPage, request: PageRequest): ReadingPage {
  const page = read(request);
  page.result.catch(() => {});
  return page;
}

function rowCount(plan: ExportPlan, { data }: ExecutionResult): number {
  const rows = plan.connectionIn(data)?.[plan.exported.rows.key];
  return Array.isArray(rows) ? rows.length : 0;
}
