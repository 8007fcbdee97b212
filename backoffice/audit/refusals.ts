import { type Actor, actorName } from '@tenant-payments/engine/actor.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { tellAudit } from '@tenant-payments/engine/write/append_audit.ts';
import {
  type AuditEntry,
  type AuditRow,
  appendAuditRows,
} from '@tenant-payments/engine/write/flush_audit.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import { actOf, recordOf, scopeOf } from './acts.ts';

const minuteMs = 60_000;
/** Records and addresses that a counted row names. */
const namedAtMost = 20;

/** Refusals of one caller and act since their last row. */
interface Counted {
  refusals: number;
  readonly since: string;
  readonly outcomes: Map<string, number>;
  readonly records: Set<string>;
  readonly addresses: Set<string>;
  last: AuditEntry;
}

const keyOf = ({ scope, actor, act }: AuditEntry): string =>
  JSON.stringify([scope, actorName(actor), act]);

const addTo = (names: Set<string>, name: string | null): void => {
  if (name !== null && names.size < namedAtMost) names.add(name);
};

/** The one row that stands for all of them. */
const entryOf = ({ last, refusals, since, outcomes, records, addresses }: Counted): AuditEntry => ({
  ...last,
  after: {
    refusals,
    since,
    outcomes: Object.fromEntries(outcomes),
    records: [...records],
    addresses: [...addresses],
  },
});

/**
 * Writes refusals to the audit: the first of a caller and act at once, those of the minute behind it as one
 * row with their number (rules/audit#3). One that cannot be written is an alarm.
 * @param everyMs after how long what was counted is written
 */
export function openRefusals(
  { control, log, clocks }: Pick<Service, 'control' | 'log' | 'clocks'>,
  everyMs = minuteMs,
) {
  /** Callers and acts that have a row of the last minute; null: none was refused since. */
  const minutes = new Map<string, { counted: Counted | null; timer: NodeJS.Timeout }>();

  async function write(entry: AuditEntry): Promise<void> {
    try {
      const { text, values } = appendAuditRows([entry]);
      tellAudit(log, (await control.query<AuditRow>(text, values)).rows);
    } catch (error) {
      const facts = { request_id: entry.actor.requestId, fault: faultFacts(error) };
      log.error({ alarm: 'audit', ...facts }, 'a refusal could not be written to the audit');
    }
  }

  function begin(key: string): void {
    const timer = setTimeout(() => void end(key), everyMs).unref();
    minutes.set(key, { counted: null, timer });
  }

  /** A minute without a refusal is the last: the next refusal has a row at once again. */
  async function end(key: string): Promise<void> {
    const counted = minutes.get(key)?.counted;
    minutes.delete(key);
    if (!counted) return;
    begin(key);
    await write(entryOf(counted));
  }

  return {
    /** Returns when the row of a first refusal is written. */
    async note(entry: AuditEntry): Promise<void> {
      const key = keyOf(entry);
      const minute = minutes.get(key);
      if (!minute) {
        begin(key);
        return write(entry);
      }
      minute.counted ??= {
        refusals: 0,
        since: instantOf(clocks.realNow()),
        outcomes: new Map(),
        records: new Set(),
        addresses: new Set(),
        last: entry,
      };
      const { counted } = minute;
      counted.refusals += 1;
      counted.outcomes.set(entry.outcome, (counted.outcomes.get(entry.outcome) ?? 0) + 1);
      addTo(counted.records, entry.record);
      addTo(counted.addresses, entry.actor.address);
      counted.last = entry;
    },

    /** Writes what was counted: the process stops. */
    async close(): Promise<void> {
      const open = [...minutes.values()];
      minutes.clear();
      for (const { timer } of open) clearTimeout(timer);
      await Promise.all(open.flatMap(({ counted }) => (counted ? write(entryOf(counted)) : [])));
    },
  };
}

const params = (request: FastifyRequest) => request.params as Readonly<Record<string, string>>;

/** Whether the reply refuses a write of somebody who is known. A rate limit is told in the log alone. */
function isRefusedWrite({ method, actor }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  const isKnown = (actor as Actor | undefined) !== undefined;
  return isKnown && method !== 'GET' && statusCode >= 400 && statusCode < 500 && statusCode !== 429;
}

const codeIn = (payload: unknown): string =>
  (JSON.parse(String(payload)) as { error: { code: string } }).error.code;

/** A refused write of a known caller is in the audit, or counted for it, before it is answered. */
export function auditRefusals(scope: FastifyInstance, service: Service): void {
  const refusals = openRefusals(service);
  scope.addHook('onClose', refusals.close);
  scope.addHook('onSend', async (request, reply, payload) => {
    const endpoint = request.routeOptions.config.endpoint as PortalEndpoint | undefined;
    if (!endpoint || !isRefusedWrite(request, reply)) return;
    await refusals.note({
      scope: scopeOf(endpoint, request),
      actor: request.actor,
      act: actOf(endpoint, params(request)),
      record: recordOf(params(request)),
      outcome: codeIn(payload),
    });
  });
}
