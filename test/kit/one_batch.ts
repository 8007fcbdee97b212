import { expect } from 'vitest';
import { serviceActor } from '../../engine/actor.ts';
import type { Command } from '../../engine/command.ts';
import type { Engine } from './engine.ts';
import type { TestServer } from './server.ts';

/** A command with its input, to be run beside others. */
export interface Planned {
  /** Prepares it. @returns its submission; `note` hears what is done of it */
  prepare(server: TestServer, note: (step: 'load' | 'decide') => void): Promise<() => unknown>;
}

/** A command of a batch that several share. */
export const planned = <I, L, P>(command: Command<I, L, P>, input: NoInfer<I>): Planned => ({
  async prepare({ service, tenant: { tenantId } }, note) {
    const context = { tenantId, actor: serviceActor };
    // Before the batch, so that none is begun later than the others.
    const prepared = (await command.prepare?.(input, context)) as P;
    const noted: Command<I, L, P> = {
      ...command,
      prepare: async () => prepared,
      load: (...given) => {
        note('load');
        return command.load(...given);
      },
      decide: (...given) => {
        note('decide');
        return command.decide(...given);
      },
    };
    return () => service.engine.submit(noted, { tenantId, input });
  },
});

/**
 * Runs commands in one batch, in this order: all have read before the first is decided. @throws where one is refused, or
 * where they did not share it
 */
export async function inOneBatch(server: TestServer, ...plans: readonly Planned[]): Promise<void> {
  const steps: string[] = [];
  const submits = await Promise.all(
    plans.map((plan, at) => plan.prepare(server, (step) => void steps.push(`${step} ${at}`))),
  );
  await Promise.all(submits.map((submit) => submit()));
  expect(steps.slice(0, plans.length).toSorted(), 'they share a batch').toEqual(
    plans.map((_, at) => `load ${at}`),
  );
  expect(steps[plans.length]).toBe('decide 0');
}

/** The uuid of the only row that a statement finds. */
export async function onlyId(engine: Engine, text: string, ...values: unknown[]): Promise<string> {
  const rows = await engine.query<{ id: string }>(text, ...values);
  expect(rows).toHaveLength(1);
  return rows[0]?.id ?? '';
}
