import type { Socket } from 'node:net';
import type { Behaviour } from './raw_receiver.ts';

/** The parts that receivers' answers are put together from. */
export const ok = 'HTTP/1.1 200 OK\r\n';
export const empty = 'content-length: 0\r\n\r\n';
export const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
/** 64 kB: as much as is kept of a body. */
export const block = Buffer.alloc(65_536, 'a');
export const kept = 'a'.repeat(65_536);
/** How a gzip bomb begins: zeros without end behind the head of a member. */
export const bomb = Buffer.concat([
  Buffer.from('1f8b0800000000000003', 'hex'),
  Buffer.alloc(65_526),
]);
/** How long a reset waits, so that what was sent before it has been read. */
const settleMs = 60;

export const say =
  (text: string): Behaviour =>
  (socket) =>
    void socket.write(text, 'latin1');

export const sayAndEnd =
  (text: string): Behaviour =>
  (socket) =>
    void socket.end(text, 'latin1');

export const sayAndReset =
  (text: string): Behaviour =>
  (socket) => {
    socket.write(text, 'latin1');
    setTimeout(() => socket.resetAndDestroy(), settleMs);
  };

/** `text` at first, then `unit` as fast as it is taken, for as long as it is taken. */
export function flood(text: string, unit: string | Buffer): Behaviour {
  const block = typeof unit === 'string' ? Buffer.from(unit.repeat(4_096)) : unit;
  return (socket: Socket) => {
    socket.write(text);
    const more = (): void => {
      while (!socket.destroyed && socket.write(block));
      socket.once('drain', more);
    };
    more();
  };
}

/** One byte at a time. */
export function drip(head: string, everyMs: number): Behaviour {
  return (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write('a'), everyMs);
    socket.on('close', () => clearInterval(timer));
  };
}
