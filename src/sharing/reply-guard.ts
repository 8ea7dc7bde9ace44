/** Values in one reply: that to HELLO names the modules of the server. */
const MAX_VALUES = 1_000;
/** More than any outcome of a refresh takes. */
const MAX_BYTES = 32_000_000;
const MAX_LINE = 64_000;
/** What a value begins with; ioredis takes the first carriage return for the end of a line, wherever it is. */
const LINE = /^(?:([+-])[^\r]*|(:)-?\d{1,18}|([$*%>])(\d{1,8})|(_))\r$/;

/**
 * Follows what Redis sends, and refuses what is no reply to the commands of the gateway: ioredis trusts its server, and
 * a null in a wrong place, or the length of an endless array, would end the process.
 */
export class ReplyGuard {
  #line = '';
  /** Bytes of a text that are yet to come. */
  #textBytes = 0;
  /** Of the reply that has begun: its type, how many values have come, and how many are yet to come. */
  #type = '';
  #come = 0;
  #missing = 0;
  #bytes = 0;
  /** That to HELLO. */
  #isFirst = true;

  /** Whether these bytes may go on to ioredis; once they may not, no others may. */
  accepts(chunk: Buffer): boolean {
    for (let at = 0; at < chunk.length; ) {
      if (this.#textBytes > 0) {
        const skipped = Math.min(this.#textBytes, chunk.length - at);
        this.#textBytes -= skipped;
        at += skipped;
        continue;
      }
      const end = chunk.indexOf('\n', at);
      this.#line += chunk.toString('latin1', at, end < 0 ? chunk.length : end);
      if (this.#line.length > MAX_LINE) return false;
      if (end < 0) return true;
      if (!this.#begin(this.#line)) return false;
      this.#line = '';
      at = end + 1;
    }
    return true;
  }

  #begin(line: string): boolean {
    const [, word, number, counted, count, nothing] = LINE.exec(line) ?? [];
    const type = word ?? number ?? counted ?? nothing;
    const length = Number(count ?? 0);
    if (type === undefined) return false;
    if (this.#missing === 0) {
      if (!this.#mayReply(type, length)) return false;
      this.#isFirst = false;
      this.#type = type;
      this.#come = this.#bytes = 0;
      this.#missing = 1;
    } else if (!this.#mayContain(type)) return false;
    this.#come += 1;
    this.#missing += { '%': 2 * length, '*': length, '>': length }[type] ?? 0;
    this.#missing -= 1;
    if (type === '$') this.#textBytes = length + 2;
    this.#bytes += this.#textBytes;
    return this.#come + this.#missing <= MAX_VALUES && this.#bytes <= MAX_BYTES;
  }

  #mayReply(type: string, length: number): boolean {
    if (type === '>') return length === 3;
    return type === '*' ? length > 0 : (this.#isFirst ? '+-:$%' : '+-:$').includes(type);
  }

  #mayContain(type: string): boolean {
    if (this.#type === '>') return (this.#come < 3 ? '$' : '$:').includes(type);
    return (this.#type === '*' ? ':' : '+:$*%_').includes(type);
  }
}
