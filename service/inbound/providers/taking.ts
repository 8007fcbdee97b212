import { fingerprintOf } from '@tenant-payments/engine/batch/idempotency.ts';
import { unavailable } from '@tenant-payments/engine/fail.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { peerOf } from '../../cells/peer_of.ts';
import { type Bank, bankCan } from '../../rails/bank.ts';
import type { Provider, Receipt } from '../../rails/providers/provider.ts';
import { railMessageSeal } from '../../rails/providers/table.ts';
import type { Service } from '../../service.ts';
import { openInbound } from '../inbound.ts';
import { type KeptMessage, keepRailMessage, noteRailMessage } from './kept_messages.ts';
import {
  actOn,
  checkReceipt,
  type MessageContents,
  type MessageEnd,
  recordOfReceipt,
} from './receipt.ts';

/** How a receipt came. */
export interface Origin {
  readonly headers: Readonly<Record<string, string>>;
  /** Null: it was polled. */
  readonly body: Uint8Array | null;
}

/** Keeps what providers report, then acts on it (rules/rails#6). */
export interface Taking {
  /** @throws what is wrong with a receipt, before any is kept */
  check(receipts: readonly Receipt[]): void;
  /**
   * Resolves when all of them are kept and acted on.
   * @throws where one is not kept, or not acted on yet; whoever has sent them sends them again
   */
  take(
    provider: Pick<Provider, 'name'>,
    receipts: readonly Receipt[],
    origin: Origin,
  ): Promise<void>;
}

interface Needs {
  /** The first cell of this process. */
  readonly service: Service;
  /** Resolves when a Tenant is not being moved between cells. */
  readonly passed: (tenantId: string) => Promise<void>;
  /** The bank that an order may have to be asked of (rules/bank-orders#22). */
  readonly bank: Bank;
}

/** A message that is kept, and where. */
interface Placed extends KeptMessage {
  readonly cell: Service;
  /** The platform: no cell has the Tenant that it names. */
  readonly tenantId: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function bodyOf(body: Uint8Array | null): MessageContents['body'] {
  if (body === null) return null;
  try {
    return { text: utf8.decode(body) };
  } catch {
    return { base64: Buffer.from(body).toString('base64') };
  }
}

const noTenant: MessageEnd = { state: 'parked', result: 'unknown' };

/** A taking of what all providers report. */
export function openTaking({ service, passed, bank }: Needs): Taking {
  const { meters, log } = service;
  const count = (provider: string, state: string) => meters.railMessages.inc({ provider, state });

  async function keepIn(
    cell: Service,
    tenantId: string,
    provider: string,
    said: MessageContents,
    ended: MessageEnd | null,
  ): Promise<Placed> {
    const { receipt } = said;
    const { port, fact } = receipt;
    const input = {
      provider,
      message_id: receipt.id,
      port,
      record: recordOfReceipt(receipt),
      digest: fingerprintOf('rail_message', port, fact),
      received_at: instantOf(cell.clocks.realNow()),
      seal: (id: string) => cell.vault.seal(tenantId, railMessageSeal(id), said),
      ended,
    };
    const { body } = await cell.engine.submit(keepRailMessage, { tenantId, input });
    return { ...(JSON.parse(body) as KeptMessage), cell, tenantId };
  }

  const has = async (cell: Service, table: 'tenants' | 'control.tenants', tenantId: string) =>
    (await cell.pool.query(`select from ${table} where tenant_id = $1`, [tenantId])).rowCount === 1;

  /** In the cell of its Tenant. */
  async function keep(provider: string, said: MessageContents): Promise<Placed> {
    const { id, tenantId } = said.receipt;
    await passed(tenantId);
    const cell = await peerOf(service, tenantId);
    if (await has(cell, 'tenants', tenantId)) return keepIn(cell, tenantId, provider, said, null);
    if (await has(service, 'control.tenants', tenantId))
      throw unavailable(
        'the Tenant of a message is in a cell that this process does not serve',
        1,
        'cell',
      );
    const facts = { alarm: 'unknown', tenant_id: tenantId, provider, fact: { id } };
    log.error(facts, 'a message of a provider names a Tenant that is not known');
    return keepIn(service, platformId, provider, said, noTenant);
  }

  async function act(provider: string, receipt: Receipt, kept: Placed): Promise<void> {
    const { cell, tenantId, id, isNew, isSame, state } = kept;
    if (!isSame) {
      const facts = { tenant_id: tenantId, provider, id: receipt.id, result: 'id_reused' };
      cell.log.error(
        { alarm: 'rail_message', ...facts },
        'a provider has used the id of a message for another one, which is left out',
      );
      return count(provider, 'refused');
    }
    if (state !== 'received') return count(provider, isNew ? state : 'repeated');
    const ended = await actOn(
      openInbound({ ...cell, asks: bankCan(bank, 'query') }),
      receipt,
      cell.log,
    );
    const at = instantOf(cell.clocks.realNow());
    await cell.engine.submit(noteRailMessage, { tenantId, input: { id, at, ...ended } });
    count(provider, ended.state);
  }

  return {
    check(receipts) {
      for (const receipt of receipts) checkReceipt(receipt);
    },
    async take({ name }, receipts, { headers, body }) {
      const kept: Placed[] = [];
      for (const [index, receipt] of receipts.entries()) {
        const ofFirst = index === 0 ? bodyOf(body) : null;
        kept.push(await keep(name, { receipt, headers, body: ofFirst }));
      }
      let failure: unknown = null;
      for (const [index, receipt] of receipts.entries())
        await act(name, receipt, kept[index] as Placed).catch((error: unknown) => {
          failure = error;
        });
      if (failure !== null) throw failure;
    },
  };
}
