import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { Act } from '@tenant-payments/engine/batch/acts.ts';
import { keyHashOf } from '@tenant-payments/engine/batch/idempotency.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import { once } from '@tenant-payments/engine/once.ts';
import { openTaking } from '@tenant-payments/service/inbound/providers/taking.ts';
import { hashSharedPin } from '@tenant-payments/service/resources/customers/credentials/pins.ts';
import { openApi, type SampleDependencies } from '@tenant-payments/service/sandbox/sample/api.ts';
import { samplePin } from '@tenant-payments/service/sandbox/sample/submission.ts';
import { openAskedMoves } from '../approvals/acts.ts';
import { createApproval } from '../approvals/create.ts';
import { reviewAct } from '../audit/acts.ts';
import { openCaseCheck } from '../desk/case_holder.ts';
import { addCaseNote } from '../desk/notes.ts';
import { takeCase } from '../desk/take.ts';
import { openReviewMoves } from '../review/moves.ts';
import { reviewRecord } from '../review/review.ts';
import type { Endpoint } from './endpoint.ts';
import { findPart } from './parts.ts';
import { submitBusiness } from './submit_business.ts';

/** The parts that the acts of a week work on. */
export interface World {
  readonly dependencies: SampleDependencies;
  readonly tenantId: string;
  /** The ids of the records, by the names of the plan. */
  readonly ids: Map<string, string>;
  readonly staff: Actor;
  readonly endpoint: Endpoint;
}

/** Every call of the week has the same input under its key. */
const fingerprint = '00000000-0000-4000-8000-000000000000';

interface Case {
  readonly resource: string;
  readonly id: string;
  readonly move: string;
}

/** How the audit names what staff do in the week, by its command. */
const acts = {
  review: ({ resource, move }) => reviewAct(resource, move),
  create_approval: () => 'createApproval',
  take_case: () => 'takeCase',
  add_case_note: () => 'addCaseNote',
} as const satisfies Record<string, (of: Case) => string>;

function actOf(name: string, input: unknown, scope: string): Act {
  const of = input as Case;
  const named = ownValue(acts, name);
  assert(named, `the week names the act of ${name}`);
  return { act: named(of), record: of.id, scope };
}

/** The commands of staff and outside that the API does not have. */
function openCommands({ dependencies: { service } }: World) {
  const pinHash = once(() => hashSharedPin(service.config.pinPeppers, samplePin));
  const cases = openCaseCheck(service);
  return {
    submitBusiness: submitBusiness(pinHash),
    review: reviewRecord(openReviewMoves(service), cases),
    ask: createApproval(service, openAskedMoves(service), cases),
    take: takeCase(service),
    note: addCaseNote(service),
  };
}

/**
 * Opens what the acts call.
 * @returns a scene for each act: its calls have keys of their own, so that an act that was cut short
 *   can be played again and does nothing twice
 */
export function openScenes(world: World) {
  const { dependencies, tenantId, ids, staff } = world;
  const { service, rails } = dependencies;
  const commands = openCommands(world);
  const taking = openTaking({ service, passed: async () => {}, bank: rails.bank });
  return (name: string) => {
    let count = 0;
    const keyed = () => {
      count += 1;
      return { keyHash: keyHashOf(`week-${name}-${count}`), fingerprint };
    };
    const { engine } = service;
    const api = openApi(dependencies, tenantId, (command, input) =>
      engine.submit(command, { tenantId, input, idempotency: keyed() }),
    );
    const byStaff = openApi(dependencies, tenantId, (command, input) => {
      const act = actOf(command.name, input, tenantId);
      return engine.submit(command, { tenantId, input, actor: staff, act, idempotency: keyed() });
    });
    return {
      world,
      api,
      byStaff,
      commands,
      taking,
      /** @returns the id that a name of the plan stands for @throws when nothing was made of it */
      async idOf(named: string): Promise<string> {
        const known = ids.get(named);
        if (known !== undefined) return known;
        const [owner = '', part = ''] = named.split('.');
        const id = ids.get(owner);
        if (id === undefined || part === '') throw new Error(`${named} was not made`);
        return findPart(service.db, tenantId, id, part);
      },
    };
  };
}
export type Scene = ReturnType<ReturnType<typeof openScenes>>;
