import { splitMessages } from './messages.ts';
import { openTcpProxy, type Pair, type TcpProxy } from './tcp_proxy.ts';

/** Length, and the version of the protocol. */
const greetingBytes = 8;

/** The first message of a client, without its parameter `options`. */
function withoutOptions(greeting: Buffer): Buffer {
  const texts = greeting.toString('utf8', greetingBytes).split('\0');
  const kept: string[] = [];
  for (let at = 0; at + 1 < texts.length; at += 2)
    if (texts[at] !== '' && texts[at] !== 'options')
      kept.push(texts[at] ?? '', texts[at + 1] ?? '');
  const rest = Buffer.from(`${kept.map((text) => `${text}\0`).join('')}\0`);
  const message = Buffer.concat([greeting.subarray(0, greetingBytes), rest]);
  message.writeUInt32BE(message.length, 0);
  return message;
}

/** A pool that hands on no settings, as PgBouncer does with `ignore_startup_parameters = options`. */
export const dropOptions = (target: string): Promise<TcpProxy> =>
  openTcpProxy(target, ({ client, server }) => {
    let isGreeted = false;
    client.on('data', (chunk: Buffer) => {
      server.write(isGreeted ? chunk : withoutOptions(chunk));
      isGreeted = true;
    });
    server.pipe(client);
  });

/**
 * A pool of one session, which whoever asks next is given, as PgBouncer's in transaction mode. Its clients must take
 * turns, and may ask outside transactions alone.
 */
export function shareSession(target: string): Promise<TcpProxy> {
  const authenticated = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
  let owner: Pair | undefined;
  let asks: Pair;
  /** All that the server says of a session before its first statement. */
  const said: Buffer[] = [];
  let isOpen = false;

  function answer(bytes: Buffer, type: string): void {
    if (!isOpen && type !== 'R') said.push(bytes);
    if (type === 'Z') isOpen = true;
    asks.client.write(bytes);
  }
  return openTcpProxy(target, (pair) => {
    owner ??= pair;
    const { server } = owner;
    const split = splitMessages();
    if (owner === pair)
      server.on('data', (chunk: Buffer) => {
        for (const { bytes, type } of split(chunk)) answer(bytes, type);
      });
    let isGreeted = owner === pair;
    pair.client.on('data', (chunk: Buffer) => {
      asks = pair;
      if (isGreeted) server.write(chunk);
      else pair.client.write(Buffer.concat([authenticated, ...said]));
      isGreeted = true;
    });
  });
}
