import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../kit/wait.ts';
import { proofTest } from '../../prove/proof.ts';
import { type BlackHoleProxy, openBlackHoleProxy } from './black_hole_proxy.ts';
import { proveUnderLoad } from './under_load.ts';

const sharePercent = 50;
/** The holes get longer from round to round, up to 4 s, and begin anew. */
const holeMs = (round: number) => 500 * (1 + (round % 8));
const backWithinMs = 15_000;
/** All is well when no request has missed for so long and no silent connection is held. */
const calmMs = 1_000;

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
      async ({ load }, { round, choices, violate }) => {
        if (!proxy) return;
        const { silence, heal, held } = proxy;
        silence(sharePercent, choices);
        await sleep(holeMs(round));
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
