import type { BodyOf, ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { type IdKind, idPrefixes, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import {
  type simulateEvent as contract,
  type SimulateName,
  type SimulationResult,
  simulateFailures,
  simulateOfMoney,
} from '@tenant-payments/contract/resources/simulations.ts';
import { type Command, command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Environment } from '@tenant-payments/engine/production.ts';
import type { Simulator } from '../../sandbox_tools.ts';

/** The input of the command that a simulation runs: the very one of the actor that it plays. */
export interface ActorInput {
  /** The record's uuid. */
  readonly id: string;
  readonly kind: IdKind;
  readonly failure_code: string | null;
  /** The amount that the bank reports; absent: the sandbox's own. */
  readonly amount?: number;
  readonly remittance?: string;
}

export interface Simulation {
  /** The kinds of record that `object_id` may name. */
  readonly kinds: readonly IdKind[];
  readonly command: Command<ActorInput>;
}

export type Simulations = Readonly<Partial<Record<SimulateName, Simulation>>>;

type Input = ParamsOf<typeof contract> & BodyOf<typeof contract>;

/** The failure to apply: the one given, the event's default, or none (rules/sandbox#8). */
function failureOf(event: SimulateName, given: string | null | undefined): string | null {
  const failure = simulateFailures[event];
  const code = given ?? failure?.fallback ?? null;
  if (given && !failure?.codes.includes(given))
    throw fail('parameter_invalid', {
      param: 'failure_code',
      details: { reason: 'not_of_this_event', allowed: failure?.codes ?? [] },
    });
  return code;
}

/** @throws ApiError parameter_invalid: the event is not about money that came */
function moneyOf(event: string, { amount, remittance }: Pick<Input, 'amount' | 'remittance'>) {
  const given = { ...(amount !== undefined && { amount }), ...(remittance && { remittance }) };
  const [param] = Object.keys(given);
  if (param !== undefined && !(simulateOfMoney as readonly string[]).includes(event))
    throw fail('parameter_invalid', { param, details: { reason: 'not_of_this_event' } });
  return given;
}

function recordOf(kinds: readonly IdKind[], objectId: string): { kind: IdKind; id: string } | null {
  for (const kind of kinds) {
    const id = objectId.startsWith(`${idPrefixes[kind]}_`) ? uuidOf(kind, objectId) : null;
    if (id) return { kind, id };
  }
  return null;
}

/** The page with the names, and those of the resource that the wrong one begins with. */
function nameHint(simulations: Simulations, event: string): string {
  const resource = event.slice(0, event.indexOf('.') + 1);
  const near = Object.keys(simulations).filter((name) => resource && name.startsWith(resource));
  const names = near.length > 0 ? `; of ${resource.slice(0, -1)}: ${near.join(', ')}` : '';
  return `event is none of the names in /docs/reference/simulate${names}`;
}

const refusedIn = (environment: Environment) =>
  environment === 'production' ? fail('sandbox_only') : null;

/** Why there is nothing to run, in this order. */
function refusalOf(environment: Environment, simulations: Simulations, event: string) {
  const refused = refusedIn(environment);
  if (refused) return refused;
  const simulated = ownValue(simulations, event);
  if (!simulated)
    return fail('not_found', { param: 'event', message: nameHint(simulations, event) });
  const ids = simulated.kinds.map((kind) => `${idPrefixes[kind]}_…`).join(', ');
  const message = `object_id is no record that ${event} acts on: ${ids}`;
  return fail('not_found', { param: 'object_id', message });
}

/** A sandbox's simulate path, for the API and the portal. */
export const openSimulator = (simulations: Simulations): Simulator => ({
  simulate: simulateEvent(simulations, 'sandbox'),
  of: (kind) =>
    Object.entries(simulations).flatMap(([name, { kinds }]) =>
      kinds.includes(kind) ? [name as SimulateName] : [],
    ),
});

/**
 * POST /v1/sandbox/simulate/{event}: runs the command of the actor with all its checks. An unknown
 * event or record is refused in `load`, since a reused idempotency key is refused before it.
 * @throws ApiError sandbox_only in production; not_found for an unknown event or record;
 *   invalid_state when the record's state does not allow it
 */
export const simulateEvent = (simulations: Simulations, environment: Environment) =>
  command('simulate', {
    prepare: async (input: Input, context) => {
      const simulated = ownValue(simulations, input.event);
      if (!simulated || environment !== 'sandbox') return null;
      const failure_code = failureOf(input.event as SimulateName, input.failure_code);
      const record = recordOf(simulated.kinds, input.object_id);
      if (!record) return null;
      const actor: ActorInput = { ...record, failure_code, ...moneyOf(input.event, input) };
      const prepared = await simulated.command.prepare?.(actor, context);
      return { simulated, actor, prepared };
    },
    ahead: (_input, found) => found?.simulated.command.ahead?.(found.actor, found.prepared) ?? [],
    load: async (read, { event }, found) => {
      if (!found) throw refusalOf(environment, simulations, event);
      const { simulated, actor, prepared } = found;
      return { ...found, loaded: await simulated.command.load(read, actor, prepared) };
    },
    decide: (work, { simulated, actor, prepared, loaded }, input) => {
      work.obey('simulate', refusedIn);
      simulated.command.decide(work, loaded, actor, prepared);
      const result: SimulationResult = {
        object: 'simulation',
        event: input.event,
        object_id: input.object_id,
        status: 'accepted',
      };
      return { value: result };
    },
  });
