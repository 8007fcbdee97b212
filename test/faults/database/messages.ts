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
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const found: Message[] = [];
    while (rest.length >= letterBytes + lengthBytes) {
      const length = letterBytes + rest.readUInt32BE(letterBytes);
      if (rest.length < length) break;
      const type = letterBytes === 0 ? '' : String.fromCharCode(rest[0] ?? 0);
      found.push({ type, bytes: rest.subarray(0, length) });
      rest = rest.subarray(length);
      letterBytes = 1;
    }
    return found;
  };
}

/** What a client sent: one statement, or (`sql` null) a message that is none. */
export interface Piece {
  readonly bytes: Buffer;
  readonly sql: string | null;
}

/** The texts that a message names, each ended by a zero, behind letter and length. */
function texts({ bytes }: Message): string[] {
  return bytes
    .subarray(1 + lengthBytes)
    .toString('utf8')
    .split('\0', 2);
}

/** What travels outside statements: the greeting, passwords, the farewell, and COPY. */
const alone = new Set(['', 'p', 'X', 'd', 'c', 'f']);

/**
 * Gathers a client's messages into statements: a simple query, or everything up to a Sync. The text
 * of a prepared statement is remembered by its name.
 */
export function openStatements() {
  const split = splitMessages(true);
  const prepared = new Map<string, string>();
  let gathered: Buffer[] = [];
  let sql = '';

  function note(message: Message): void {
    const [name = '', text = ''] = texts(message);
    if (message.type === 'Q') sql = name;
    if (message.type === 'P') prepared.set(name, text);
    // Its second text names the statement; the first one is the portal.
    if (message.type === 'B') sql = prepared.get(text) ?? text;
  }

  return {
    take(chunk: Buffer): Piece[] {
      const pieces: Piece[] = [];
      for (const message of split(chunk)) {
        if (alone.has(message.type)) {
          pieces.push({ bytes: message.bytes, sql: null });
          continue;
        }
        note(message);
        gathered.push(message.bytes);
        if (message.type !== 'Q' && message.type !== 'S') continue;
        pieces.push({ bytes: Buffer.concat(gathered), sql });
        gathered = [];
        sql = '';
      }
      return pieces;
    },
  };
}
