import { readdirSync, readFileSync } from 'node:fs';

/** A page as scripts/docs.mjs renders it. */
export interface DocsPage {
  /** The last part of its path; empty for the first page. */
  readonly name: string;
  /** Its name in the navigation. */
  readonly label: string;
  readonly title: string;
  /** A section that the navigation of every page leads to. */
  readonly shortcut?: { readonly anchor: string; readonly label: string };
  readonly sections: readonly { readonly id: string; readonly text: string }[];
  readonly html: string;
  readonly markdown: string;
}

export interface DocsBuild {
  readonly pages: readonly DocsPage[];
  /** Images, the script of the pages and the index of their search, by file name. */
  readonly files: ReadonlyMap<string, Buffer>;
}

const PAGES = 'pages.json';

/** Undefined if the documentation has not been built. */
export function readDocsBuild(root: URL): DocsBuild | undefined {
  try {
    const names = readdirSync(root).filter((name) => name !== PAGES);
    return {
      pages: JSON.parse(readFileSync(new URL(PAGES, root), 'utf8')),
      files: new Map(names.map((name) => [name, readFileSync(new URL(name, root))])),
    };
  } catch {
    return undefined;
  }
}
