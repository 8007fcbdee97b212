import { setTimeout as sleep } from 'node:timers/promises';
import type { Choices } from '../../kit/seed.ts';
import { until } from '../../kit/wait.ts';
import { proofTest } from '../../prove/proof.ts';
import { openTcpProxy, type Pair, type TcpProxy } from './tcp_proxy.ts';
import { proveUnderLoad } from './under_load.ts';

/** A way to PostgreSQL on which connections go silent: nothing passes, and neither side notices. */
interface BlackHoleProxy extends TcpProxy {
  /** Silences this share (percent) of the connections, those that are open and those to come. */
  silence(percent: number, choices: Choices): void;
  /** New connections work again; silent ones stay silent. */
  heal(): void;
  /** Silent connections that the client still holds. */
  held(): number;
  /** Connections silenced so far. */
  silenced(): number;
}

async function openBlackHoleProxy(target: string): Promise<BlackHoleProxy> {
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

const sharePercent = 50;
/** The length of a hole: every client meets its dead connection while it lasts. */
const holeMs = 4_000;
const backWithinMs = 15_000;
/** All is well when no request has missed for this time and no silent connection is held. */
const calmMs = 2_000;

proofTest(
  'where half of the connections to the database go silent every request is answered within 10 s, and no dead client is kept',
  1,
  async (context) => {
    let proxy: BlackHoleProxy | null = null;
    let slowestHealingMs = 0;
    const via = async (url: string) => {
      proxy = await openBlackHoleProxy(url);
      return proxy.url;
    };
    const verdict = await proveUnderLoad(
      context,
      { via, deadlineMs: 10_000 },
      async ({ load }, { choices, violate }) => {
        if (!proxy) return;
        const { silence, heal, held } = proxy;
        silence(sharePercent, choices);
        await sleep(holeMs);
        heal();
        const healedMs = performance.now();
        const lastMs = () => Math.max(load.lastMissMs, healedMs);
        const isWell = () => held() === 0 && performance.now() - lastMs() > calmMs;
        await until(isWell, { withinMs: backWithinMs + calmMs }).then(
          () => {
            slowestHealingMs = Math.max(slowestHealingMs, Math.round(lastMs() - healedMs));
          },
          () => violate(`not well after ${backWithinMs} ms, ${held()} dead connections held`),
        );
      },
    );
    const { silenced, close } = proxy as unknown as BlackHoleProxy;
    await close();
    return { ...verdict, figures: { silenced: silenced(), slowestHealingMs, ...verdict.figures } };
  },
);
