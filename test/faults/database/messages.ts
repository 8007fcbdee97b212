/** A message of PostgreSQL's protocol 3.0, whole. */
export interface Message {
  /** Its letter; empty for the first one of a client, which has none. */
  readonly type: string;
  readonly bytes: Buffer;
}

const lengthBytes = 4;

/** Cuts one direction of a connection into messages. @param isClient the first one has no letter */
export function splitMessages(isClient = false): (chunk: Buffer) => Message[] {
  let rest: Buffer = Buffer.alloc(0);
  let letterBytes = isClient ? 0 : 1;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const found: Message[] = [];
    while (rest.length >= letterBytes + lengthBytes) {
      const length = letterBytes + rest.readUInt32BE(letterBytes);
      if (rest.length < length) break;
      const type = rest.toString('latin1', 0, letterBytes);
      found.push({ type, bytes: rest.subarray(0, length) });
      rest = rest.subarray(length);
      letterBytes = 1;
    }
    return found;
  };
}

/**
 * A piece that a client sent: a statement, or the lines of all those of an exchange, or (`sql` null) another message.
 */
export interface Piece {
  readonly bytes: Buffer;
  readonly sql: string | null;
}

/** Outside statements: the greeting, passwords, the farewell. */
const others = new Set(['', 'p', 'X']);
/** The rows of a COPY: of an exchange, or after a simple query. */
const ofCopy = new Set(['d', 'c', 'f']);

/**
 * Gathers a client's messages into statements: a simple query, or everything up to a Sync. The text of
 * a prepared statement is remembered by its name.
 */
export function openStatements(): (chunk: Buffer) => Piece[] {
  const split = splitMessages(true);
  const prepared = new Map<string, string>();
  let gathered: Buffer[] = [];
  let lines: string[] = [];

  function read({ type, bytes }: Message): void {
    const texts = bytes.subarray(1 + lengthBytes).toString('utf8');
    const [first = '', second = ''] = texts.split('\0', 2);
    if (type === 'Q') lines = [first];
    if (type === 'P') prepared.set(first, second);
    // The second text of a Bind names the statement; the first one is the portal.
    if (type === 'B') lines.push(prepared.get(second) ?? second);
  }

  return (chunk) =>
    split(chunk).flatMap((message): Piece[] => {
      const { type, bytes } = message;
      const isAlone = ofCopy.has(type) && gathered.length === 0;
      if (others.has(type) || isAlone) return [{ bytes, sql: null }];
      read(message);
      gathered.push(bytes);
      if (type !== 'Q' && type !== 'S') return [];
      const piece = { bytes: Buffer.concat(gathered), sql: lines.join('\n') };
      gathered = [];
      lines = [];
      return [piece];
    });
}
