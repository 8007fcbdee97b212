import { openTcpProxy, type TcpProxy } from './tcp_proxy.ts';

/** A port whose network can be cut: nobody is told, bytes only stop. */
export interface SilentProxy extends TcpProxy {
  /** Connections hear nothing more, neither those that are open nor new ones. */
  silence(): void;
  /** All connections of the time are reset, and new ones are carried. */
  heal(): void;
}

export async function openSilentProxy(target: string): Promise<SilentProxy> {
  let isSilent = false;
  const proxy = await openTcpProxy(target, (pair) => {
    pair.isSilent = isSilent;
    if (!isSilent) pair.client.pipe(pair.server).pipe(pair.client);
  });
  return {
    ...proxy,
    silence() {
      isSilent = true;
      for (const pair of proxy.pairs) {
        pair.isSilent = true;
        for (const socket of [pair.client, pair.server]) socket.unpipe().pause();
      }
    },
    heal() {
      if (isSilent) proxy.cutAll();
      isSilent = false;
    },
  };
}
