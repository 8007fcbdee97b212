import type { Choices } from '../../kit/seed.ts';
import { openTcpProxy, type Pair, type TcpProxy } from './tcp_proxy.ts';

/** A way to PostgreSQL on which connections go silent: nothing passes, and neither side notices. */
export interface BlackHoleProxy extends TcpProxy {
  /** Silences this share (percent) of the connections, those that are open and those to come. */
  silence(percent: number, choices: Choices): void;
  /** New connections work again; silent ones stay silent. */
  heal(): void;
  /** Silent connections that the client still holds. */
  held(): number;
  /** Connections silenced so far. */
  silenced(): number;
}

export async function openBlackHoleProxy(target: string): Promise<BlackHoleProxy> {
  let isChosen: (() => boolean) | null = null;
  let silenced = 0;

  function maybeSilence(pair: Pair): void {
    if (pair.isSilent || !isChosen?.()) return;
    pair.isSilent = true;
    silenced += 1;
  }

  const proxy = await openTcpProxy(target, (pair) => {
    const { client, server } = pair;
    maybeSilence(pair);
    client.on('data', (chunk) => pair.isSilent || server.write(chunk));
    server.on('data', (chunk) => pair.isSilent || client.write(chunk));
    // The network ends the server's side of what the client has closed, once it works again.
    client.on('close', () => isChosen === null && pair.cut());
  });
  return {
    ...proxy,
    silence(percent, choices) {
      isChosen = () => choices.percent(percent);
      for (const pair of proxy.pairs) maybeSilence(pair);
    },
    heal() {
      isChosen = null;
      for (const pair of proxy.pairs) if (pair.hasClientLeft) pair.cut();
    },
    held: () => [...proxy.pairs].filter((pair) => pair.isSilent && !pair.hasClientLeft).length,
    silenced: () => silenced,
  };
}
