import { actorName } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { peerOf } from '../../cells/peer_of.ts';
import type { Receipt } from '../../rails/providers/provider.ts';
import { type RailMessageRow, railMessages } from '../../rails/providers/table.ts';
import type { Service } from '../../service.ts';
import { openInbound } from '../inbound.ts';
import { readSaid } from './kept_messages.ts';
import { actOn, type MessageEnd } from './receipt.ts';

type MessageState = Pick<RailMessageRow, 'state' | 'closed_at'>;

/** @throws ApiError invalid_state where nothing waits for a person */
function assertOpen({ state, closed_at }: MessageState): void {
  const isOpen = (state === 'parked' || state === 'refused') && closed_at === null;
  if (!isOpen)
    throw fail('invalid_state', {
      details: { current_status: closed_at ? 'closed' : state, allowed: ['parked', 'refused'] },
    });
}

/**
 * The receipt for another report. A decision under an id stays: a message that contradicted its record, and so moved
 * nothing, is reported under another id. Two people at once report it under the same one.
 */
function again(receipt: Receipt, { result, replays }: Pick<RailMessageRow, 'result' | 'replays'>) {
  if (result !== 'contradiction') return receipt;
  const id = `${receipt.fact.id} again ${replays + 1}`;
  return { ...receipt, fact: { ...receipt.fact, id } } as Receipt;
}

/** The cell of a message. @param tenantId the platform: it names no Tenant that was known */
export const cellOfMessage = (service: Service, tenantId: string): Promise<Service> =>
  tenantId === platformId ? Promise.resolve(service) : peerOf(service, tenantId);

interface Replayed {
  readonly id: string;
  readonly tenantId: string;
}

/** The result of a replay, and its number. */
interface Outcome extends MessageEnd {
  readonly replays: number;
  readonly at: string;
}

/**
 * Reports a parked or refused message once more (rules/rails#17).
 * @param cell that of the message
 * @throws ApiError not_found; invalid_state where it is open no more
 */
export const replayRailMessage = (cell: Service) =>
  command('replay_rail_message', {
    prepare: async ({ id, tenantId }: Replayed): Promise<Outcome> => {
      const { row, said } = await readSaid(cell, tenantId, id);
      assertOpen(row);
      const receipt = again(said.receipt, row);
      const target = await peerOf(cell, receipt.tenantId);
      const ended = await actOn(openInbound({ ...target, asks: true }), receipt, cell.log);
      return { ...ended, replays: row.replays + 1, at: instantOf(cell.clocks.realNow()) };
    },
    load: (read, { id }) => read.one(railMessages, id),
    decide: (work, row, _input, { state, result, replays, at }) => {
      assertOpen(row);
      // Another person was faster, and has heard the same.
      if (row.replays + 1 !== replays) return { value: null };
      work.change<typeof railMessages>(row, { state, result, replays, acted_at: at });
      return { value: null };
    },
  });

interface Closing {
  readonly id: string;
  readonly reason: string;
  /** In real time. */
  readonly at: string;
}

/**
 * Closes a message of which nothing comes.
 * @throws ApiError not_found; invalid_state where it is open no more
 */
export const closeRailMessage = command('close_rail_message', {
  load: (read, { id }: Closing) => read.maybe(railMessages, id),
  decide: (work, row, { reason, at }) => {
    if (!row) throw fail('not_found', { param: 'id' });
    assertOpen(row);
    const closed_by = actorName(work.actor);
    work.change<typeof railMessages>(row, { closed_at: at, closed_by, close_reason: reason });
    return { value: null };
  },
});
