/** A text is folded character by character; this many are remembered. */
const MAX_REMEMBERED = 10_000;
/** A character with its accents, unless it is a plain ASCII one. */
const CLUSTERS = /[ -~]\p{M}+|[^ -~]\p{M}*/gu;
/** What a letter that Unicode does not take apart may be written as. */
const SPELLINGS = ['ae', 'oe', 'ss', 'ij', 'th', ...'abcdefghijklmnopqrstuvwxyz'];

/** How texts are compared: without case and accents, in the order of a locale. */
export class TextRules {
  readonly compare: (a: string, b: string) => number;
  readonly #folded = new Map<string, string>();

  constructor(locale: string) {
    this.compare = new Intl.Collator(locale, { sensitivity: 'base' }).compare;
  }

  equals(a: string, b: string): boolean {
    return this.compare(a, b) === 0;
  }

  /** A text in which others are searched: texts that are equal by these rules are folded to the same. */
  fold(text: string): string {
    if (isPrintableAscii(text)) return text.toLowerCase();
    return text
      .normalize('NFC')
      .replace(CLUSTERS, (cluster) => this.#foldCluster(cluster))
      .toLowerCase();
  }

  #foldCluster(cluster: string): string {
    let folded = this.#folded.get(cluster);
    if (folded === undefined) {
      folded = this.#spellingOf(cluster);
      if (this.#folded.size >= MAX_REMEMBERED) this.#folded.clear();
      // Text of any number of accents is one cluster, which is not worth remembering.
      if (cluster.length < 8) this.#folded.set(cluster, folded);
    }
    return folded;
  }

  /** A simpler spelling, if the locale says that it is equal: in Swedish, å is no a. */
  #spellingOf(cluster: string): string {
    if (this.equals(cluster, '')) return '';
    const plain = cluster.normalize('NFKD').replace(/\p{M}/gu, '');
    // By capitals first: `ß` becomes `ss`, and both small sigmas become one.
    const base = plain.toUpperCase().toLowerCase();
    const isEqual = (spelling: string) => this.equals(spelling, cluster);
    if (base !== '' && isPrintableAscii(base) && isEqual(base)) return base;
    return SPELLINGS.find(isEqual) ?? [base].find(isEqual) ?? cluster.toLowerCase();
  }
}

/** Of control characters, collation ignores most. */
function isPrintableAscii(text: string): boolean {
  return !/[^ -~]/.test(text);
}
