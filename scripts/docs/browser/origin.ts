const WRITTEN_ORIGIN = 'http://localhost:4000';

/** Text with the address that the reader uses, in place of the one that the files have. */
export function withOwnOrigin(text: string): string {
  return text.replaceAll(WRITTEN_ORIGIN, location.origin);
}

/** Lets commands and programs name the gateway that serves the page. */
export function showOwnOrigin(): void {
  for (const code of document.querySelectorAll('main code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      node.nodeValue = withOwnOrigin(node.nodeValue ?? '');
  }
}
