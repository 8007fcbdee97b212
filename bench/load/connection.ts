import { connect, type Socket } from 'node:net';

/** The parts of a reply that the bench uses. */
export interface Answer {
  readonly status: number;
  /** The reply repeats the reply of an earlier request with the same key. */
  readonly replayed: boolean;
  /** Empty unless bodies are wanted or the request was refused. */
  readonly body: string;
}

/** One keep-alive connection with one request in flight and little parsing. */
export interface Connection {
  /** Sends a request; `onAnswer` is called with its reply. */
  readonly send: (text: string) => void;
  readonly close: () => void;
}

export interface ConnectionEvents {
  readonly wantsBodies: boolean;
  readonly onAnswer: (answer: Answer) => void;
  readonly onFailure: (error: Error) => void;
}

const headEnd = '\r\n\r\n';
const statusStart = 'HTTP/1.1 '.length;
const statusEnd = statusStart + 3;
/** Statuses from here on are refusals. */
export const firstRefusal = 400;
const contentLength = /\r\ncontent-length: *(\d+)/i;
const replayMark = /\r\nidempotent-replayed: *true/i;

interface Parsed {
  readonly answer: Answer;
  readonly length: number;
}

/** The reply at the start of `bytes`; null until it is complete. */
function parse(bytes: Buffer, wantsBodies: boolean): Parsed | null {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return null;
  const head = bytes.toString('latin1', 0, end);
  const length = contentLength.exec(head)?.[1];
  if (length === undefined) throw new Error(`a reply without content-length: ${head}`);
  const bodyStart = end + headEnd.length;
  const total = bodyStart + Number(length);
  if (bytes.length < total) return null;
  const status = Number(head.slice(statusStart, statusEnd));
  const answer = {
    status,
    replayed: replayMark.test(head),
    body: wantsBodies || status >= firstRefusal ? bytes.toString('utf8', bodyStart, total) : '',
  };
  return { answer, length: total };
}

function listen(socket: Socket, events: ConnectionEvents): void {
  let pending: Buffer | null = null;
  socket.on('data', (chunk: Buffer) => {
    const bytes: Buffer = pending === null ? chunk : Buffer.concat([pending, chunk]);
    const parsed = parse(bytes, events.wantsBodies);
    pending = parsed === null ? bytes : null;
    if (parsed === null) return;
    if (parsed.length !== bytes.length) {
      socket.destroy(new Error('more bytes came than were requested'));
      return;
    }
    events.onAnswer(parsed.answer);
  });
  socket.on('error', events.onFailure);
  socket.on('end', () => events.onFailure(new Error('the service closed a connection')));
}

/** Opens one connection to the service on this machine. @throws when nothing listens there */
export async function openConnection(port: number, events: ConnectionEvents): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  listen(socket, events);
  return {
    send: (text) => void socket.write(text, 'latin1'),
    close: () => {
      socket.removeAllListeners('end');
      socket.destroy();
    },
  };
}
