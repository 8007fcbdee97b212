import { alsoPlayed } from './also.ts';
import { playCast } from './cast.ts';
import { type CodeNeeds, checkCodes, codeTable } from './codes.ts';
import { checkEvents, openCollector } from './events.ts';
import { checkMoves, unreached } from './moves.ts';
import { checkOrders } from './orders.ts';
import { newKey } from './requests.ts';
import type { Verdict } from './run.ts';
import { playScenario } from './scenario.ts';
import { openSender } from './send.ts';
import { openWorld, type World } from './world.ts';

/** Beside the operations one by one: states, codes, order and events of one Tenant's whole run. */

export interface WholeVerdict extends Verdict {
  /** What was counted, in words. */
  readonly figures: string;
  /** What was left out, with the reason. */
  readonly exempt: readonly string[];
}

export interface WholeNeeds {
  readonly baseUrl: string;
  readonly token: string;
  readonly digest: (w: World) => Promise<string>;
  readonly spent?: CodeNeeds['spent'];
  readonly production?: CodeNeeds['production'];
}

export interface Whole {
  /** To be played in this order; each goes on where the one before ended. */
  readonly parts: readonly (() => Promise<WholeVerdict>)[];
  /** Puts the Tenant's settings back. */
  close(): Promise<void>;
}

/** Opens the whole run on a Tenant; its clock will be some days ahead afterwards. */
export async function openWhole(needs: WholeNeeds): Promise<Whole> {
  const { baseUrl, token, digest, spent = null, production = null } = needs;
  // Impatient: a 503 that chaos gives is what is looked at.
  const sender = openSender(baseUrl);
  const w = await openWorld(baseUrl, token);
  const collector = openCollector(w);
  const refusing = async (): Promise<CodeNeeds> => ({
    cast: await playCast(w),
    scenario: await playScenario(baseUrl, token),
    sender,
    spent,
    production,
  });

  async function moves(): Promise<WholeVerdict> {
    const { attempts, states, refused, allowed, violations } = await checkMoves({
      w,
      all: sender.all,
      digest: () => digest(w),
    });
    await sender.all(alsoPlayed, async (play) => void (await play(w)));
    return {
      operation: 'moves',
      cases: refused + allowed + alsoPlayed.length,
      violations,
      figures: `${attempts} moves x ${states} states, ${refused} refused, ${allowed} made`,
      exempt: unreached,
    };
  }

  async function codes(): Promise<WholeVerdict> {
    const { codes: told, cases, untried, violations } = await checkCodes(await refusing());
    const without = untried.map((name) => `${name}: it takes another Tenant, or a production`);
    return {
      operation: 'codes',
      cases,
      violations,
      figures: `${told} codes of operations told, ${cases} refusals`,
      exempt: [...codeTable().exempt, ...without],
    };
  }

  async function order(): Promise<WholeVerdict> {
    const usedKey = newKey();
    const asked = await refusing();
    await w.useKey(usedKey);
    const { pairs, exempt, violations } = await checkOrders(asked, usedKey);
    const figures = `${pairs} pairs of refusals provoked at once`;
    return { operation: 'order', cases: pairs, violations, figures, exempt };
  }

  async function events(): Promise<WholeVerdict> {
    await collector.collect();
    const found = checkEvents(collector.events.values());
    return {
      operation: 'events',
      cases: found.events,
      violations: found.violations,
      figures: `${found.events} events of ${found.types} types, ${found.steps} steps of the tables`,
      exempt: found.exempt,
    };
  }

  return {
    parts: [moves, codes, order, events],
    async close() {
      await w.restore();
      await sender.close();
    },
  };
}
