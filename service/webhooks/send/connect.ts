import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sizes } from '@tenant-payments/contract/core/numbers.ts';
import type { Address, AddressRule } from './address.ts';

/** RFC 8305: a slow address keeps its attempt while the next one is tried beside it. */
const nextAfterMs = 250;
/** A name server may name hundreds, and would have us connect to all of them. */
const maximumAddresses = sizes.webhookAddresses;

const timedOut = () => Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' });

/** The families in turns, beginning with that of the first address (RFC 8305, section 4). */
function inTurns(addresses: readonly Address[]): readonly Address[] {
  const first = addresses.filter(({ family }) => family === addresses[0]?.family);
  const others = addresses.filter(({ family }) => family !== addresses[0]?.family);
  const turns = first.flatMap((address, index) => [address, ...others.slice(index, index + 1)]);
  return [...turns, ...others.slice(first.length)];
}

/**
 * Connects to the first address that accepts. The next one is tried when one refuses, or beside it
 * when it takes long; what is still connecting when the signal comes is closed.
 * @throws the first failure when all have failed
 */
function connectFirst(
  addresses: readonly Address[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const open = new Set<Socket>();
    let failure: Error | null = null;
    let tried = 0;
    let patience: NodeJS.Timeout | undefined;

    function tryNext(): void {
      clearTimeout(patience);
      const host = addresses[tried]?.address;
      if (host === undefined || signal.aborted) return;
      tried += 1;
      const socket = connect({ host, port, noDelay: true });
      open.add(socket);
      const failed = (error: Error): void => {
        open.delete(socket);
        failure ??= error;
        if (tried < addresses.length) tryNext();
        else if (open.size === 0) reject(failure);
      };
      socket.once('error', failed).once('connect', () => {
        socket.off('error', failed);
        open.delete(socket);
        resolve(socket);
      });
      patience = setTimeout(tryNext, nextAfterMs);
    }
    signal.addEventListener('abort', () => {
      clearTimeout(patience);
      for (const socket of open) socket.destroy();
    });
    tryNext();
  });
}

/**
 * Connects to a host, only at addresses that the rule allows (rules/webhooks#28).
 * @param withinMs for the name and the connection together
 * @throws AddressRefused, or why no address could be connected to
 */
export async function connectByRule(
  { addressesOf }: AddressRule,
  host: string,
  port: number,
  withinMs: number,
): Promise<Socket> {
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), withinMs);
  const late = once(ended.signal, 'abort').then(() => Promise.reject(timedOut()));
  const connected = addressesOf(host, port).then((found) =>
    connectFirst(inTurns(found).slice(0, maximumAddresses), port, ended.signal),
  );
  try {
    return await Promise.race([connected, late]);
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}
