import { peerOf } from '@tenant-payments/service/cells/peer_of.ts';
import { openInbound } from '@tenant-payments/service/inbound/inbound.ts';
import type { Inbound } from '@tenant-payments/service/rails/facts.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { StopsOfCells } from './stops.ts';

/**
 * Takes facts from the outside for all cells that a process serves, each in that of its Tenant; while the
 * Tenant is being moved they wait.
 * @param stops null: of one cell
 * @param asks whether the bank can be asked how an order stands
 */
export function inboundOfCells(
  service: Service,
  stops: StopsOfCells | null,
  asks: boolean,
): Inbound {
  const inbound = new Map<Service, Inbound>();
  function inboundOf(cell: Service): Inbound {
    const known = inbound.get(cell) ?? openInbound({ ...cell, asks });
    inbound.set(cell, known);
    return known;
  }
  const take =
    <K extends keyof Inbound>(kind: K) =>
    async (...[tenantId, fact]: Parameters<Inbound[K]>) => {
      await stops?.passed(tenantId);
      return inboundOf(await peerOf(service, tenantId))[kind](tenantId, fact as never);
    };
  return {
    bank: take('bank'),
    identity: take('identity'),
    aggregator: take('aggregator'),
    messages: take('messages'),
  };
}
