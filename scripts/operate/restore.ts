import { createRequest } from '../../backoffice/approvals/platform/commands.ts';
import type { Nameless } from '../../backoffice/approvals/platform/named.ts';
import { restoreActs } from '../../backoffice/approvals/platform/restores.ts';
import { platform } from '../../backoffice/people/scope.ts';
import { epochMs, type Instant, instantOf } from '../../engine/time/instant.ts';
import { appendAudit, tellAudit } from '../../engine/write/append_audit.ts';
import { withClient } from '../../fleet/cells.ts';
import { openAlarmLog, tellingAlarms } from '../../service/alarms/alarm_log.ts';
import { openInbound } from '../../service/inbound/inbound.ts';
import { openMeters } from '../../service/operations/meters.ts';
import type { FactResult } from '../../service/rails/facts.ts';
import { readBankFile } from '../../service/restore/bank_file.ts';
import { beginRestore, latestRestoreOf, openRestoreOf } from '../../service/restore/begin.ts';
import { type BankLine, type ComparedOrder, compareBook } from '../../service/restore/book.ts';
import { endRestoreAlone } from '../../service/restore/end.ts';
import { type HeldCounts, heldSql } from '../../service/restore/held.ts';
import { holdTenants, releaseTenants } from '../../service/restore/hold.ts';
import { settledOf, settleOrderAlone } from '../../service/restore/settle.ts';
import type { RestoreRow } from '../../service/restore/table.ts';
import { openRails } from '../../start/composition.ts';
import { commandLine } from './actor.ts';
import type { Deployment, Parts } from './deployment.ts';
import { Fault } from './fault.ts';
import { logOperatorEvent } from './operator_event.ts';
import { submittedToPlatform } from './submit.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The bank's clock and ours differ, and an order may be on its way. */
const marginMs = 600_000;

const view = ({
  id,
  cause,
  restored_to,
  version_floor,
  begun_at,
  begun_by,
  ended_at,
}: RestoreRow) => ({
  id,
  cause,
  restored_to,
  version_floor,
  begun_at,
  begun_by,
  ended_at,
});

const nothingBegun = () =>
  new Fault('no restore is under way', 'Begin one: npm run cli -- restore begin --to TIME');

/** Does the same in each cell, as the owner of its tables. */
async function inEachCell<T>(
  deployment: Deployment,
  work: (
    client: Parameters<Parameters<typeof withClient>[1]>[0],
    cell: string | null,
  ) => Promise<T>,
): Promise<T[]> {
  const done: T[] = [];
  for (const { url, name, isNode } of await deployment.cellsToMigrate())
    if (!isNode) done.push(await withClient(url, (client) => work(client, name)));
  return done;
}

/** An order of the bank's book, and the cell that knows it; null of one that none does, or where there is one cell. */
type FoundOrder = ComparedOrder & { readonly cell: string | null };

/** The bank's orders since then: by its port, or by the file. */
async function linesOf(
  deployment: Deployment,
  parts: Parts,
  since: Instant,
  bank: string | undefined,
): Promise<readonly BankLine[]> {
  if (bank !== undefined) {
    try {
      return readBankFile(bank);
    } catch (error) {
      const hint = 'It is JSON or CSV with order_id, tenant_id, amount, outcome and reason.';
      throw new Fault(`--bank: ${(error as Error).message}`, hint);
    }
  }
  const { log } = deployment;
  const engine = await deployment.engine();
  const rails = await openRails({ ...parts, engine, log, meters: openMeters() });
  try {
    if (!rails.bank.ordersSince)
      throw new Fault(
        'the module of RAILS has no bank.ordersSince',
        'Give the list of the orders that the bank executed: --bank FILE',
      );
    return await rails.bank.ordersSince(since);
  } finally {
    await rails.close?.();
  }
}

/** An order is missing where no cell knows it. */
async function compared(
  deployment: Deployment,
  lines: readonly BankLine[],
): Promise<readonly FoundOrder[]> {
  const cells = await inEachCell(deployment, async (client, cell) =>
    (await compareBook(client, lines)).map((order) => ({
      ...order,
      cell: order.standing === 'missing' ? null : cell,
    })),
  );
  const { control } = await deployment.parts();
  const ids = lines.map(({ id }) => id);
  const settled = await settledOf(control, ids);
  return lines.map(({ id }, at) => {
    const found = cells.flatMap((orders) => orders[at] ?? []);
    const order = found.find(({ standing }) => standing !== 'missing') ?? found[0];
    if (!order) throw new Error('the settings name no cell');
    return order.standing === 'missing' && settled.has(id)
      ? { ...order, standing: 'settled' }
      : order;
  });
}

/** Raises an alarm for each order of which no record is known: money moved that no account shows. */
async function alarmOf(deployment: Deployment, parts: Parts, orders: readonly ComparedOrder[]) {
  const { control, clocks } = parts;
  const nobody = '00000000-0000-0000-0000-000000000000';
  const plain = deployment.log;
  const alarms = openAlarmLog({ pool: control, clocks, log: plain, processId: () => nobody });
  const log = tellingAlarms(plain, alarms);
  for (const { id, tenantId, amount, outcome, standing } of orders)
    if (standing === 'missing')
      log.error(
        { alarm: 'restore_order', tenant_id: tenantId, id, amount, outcome },
        'the bank has an order of which no record is known since a restore',
      );
  await alarms.close();
}

/** Tells the service what the bank says of orders that it knows. @returns how often each result came */
async function takeAll(deployment: Deployment, orders: readonly FoundOrder[], restore: string) {
  const { log } = deployment;
  const results: Partial<Record<FactResult, number>> = {};
  for (const { id, tenantId, outcome, standing, cell } of orders) {
    if (tenantId === null || outcome === null) continue;
    if (standing === 'missing' || standing === 'settled') continue;
    const inbound = openInbound({ engine: await deployment.engineIn(cell), log, asks: true });
    // One fact for each order and outcome, however often the command is run.
    const fact = { id: `restore ${restore} ${id} ${outcome.outcome}`, orderId: id, ...outcome };
    const result = await inbound.bank(tenantId, fact);
    results[result] = (results[result] ?? 0) + 1;
  }
  return results;
}

interface StatusGiven {
  readonly since?: string;
  /** The content of a file. */
  readonly bank?: string;
  readonly take?: boolean;
}

/** @throws Fault where nobody has said what the database was restored to */
function sinceOf({ restored_to }: RestoreRow, given: string | undefined): Instant {
  const said = given ?? restored_to;
  if (said === null)
    throw new Fault(
      'nobody has said what the database was restored to',
      'Say it: restore status --since TIME',
    );
  return instantOf(epochMs(said) - marginMs);
}

export const operations = {
  /**
   * Holds what leaves the service, in every cell (rules/restore#9).
   * @throws Fault when the restore under way is one to another point
   */
  async begin(deployment: Deployment, { to }: { readonly to?: string }) {
    const parts = await deployment.parts();
    const { control, clocks, db } = parts;
    const actor = commandLine();
    const row = await beginRestore(control, {
      cause: 'command',
      restoredTo: to ?? null,
      by: `${actor.kind} ${actor.id}`,
      now: instantOf(clocks.realNow()),
    });
    await inEachCell(deployment, (client) => holdTenants(client, row.version_floor));
    const { restored_to: known } = row;
    if (to !== undefined && known !== null && epochMs(known) !== epochMs(to))
      throw new Fault(
        `a restore to ${known} is under way`,
        'End it first, or compare from another point: restore status --since TIME',
      );
    const act = { scope: platform, act: 'beginRestore', record: row.id } as const;
    const entry = { ...act, actor, outcome: 'done', after: view(row) } as const;
    tellAudit(deployment.log, await appendAudit(db, [entry]));
    logOperatorEvent(deployment, 'restore_begun', { id: row.id });
    return view(row);
  },

  /** The restore under way, or the latest; what is held, and what the bank has since then. */
  async status(deployment: Deployment, { since, bank, take = false }: StatusGiven) {
    const parts = await deployment.parts();
    const row = await latestRestoreOf(parts.control);
    if (!row) throw nothingBegun();
    const held = await inEachCell(deployment, async (client) => {
      const { rows } = await client.query<HeldCounts>(heldSql);
      return rows[0] ?? { orders: 0, messages: 0, events: 0 };
    });
    const sum = (of: keyof HeldCounts) => held.reduce((all, cell) => all + cell[of], 0);
    const from = sinceOf(row, since);
    const lines = await linesOf(deployment, parts, from, bank);
    const before = await compared(deployment, lines);
    await alarmOf(deployment, parts, before);
    const taken = take ? await takeAll(deployment, before, row.id) : null;
    const orders = take ? await compared(deployment, lines) : before;
    return {
      ...view(row),
      since: from,
      held: { orders: sum('orders'), messages: sum('messages'), events: sum('events') },
      orders,
      taken,
    };
  },

  /** Ends it; where two people must, asks an admin for it in the console. */
  async end(deployment: Deployment, { note }: { readonly note: string }) {
    const parts = await deployment.parts();
    const { control, clocks, config } = parts;
    const row = await openRestoreOf(control);
    if (!row) throw nothingBegun();
    const { id } = row;
    const actor = commandLine();
    if (config.approvals) {
      const approval = await askedFor(deployment, parts, { id, move: 'end', note });
      return { id, ended: false, approval };
    }
    const told = { act: 'endRestore', event: 'restore_ended' } as const;
    const input = { id, by: `${actor.kind} ${actor.id}`, now: instantOf(clocks.realNow()) };
    await submittedToPlatform<object, typeof input>(deployment, told, endRestoreAlone, input);
    await inEachCell(deployment, releaseTenants);
    return { id, ended: true, approval: null };
  },

  /** Settles an order that nobody repeats; where two people must, asks an admin for it (rules/restore#20). */
  async settle(
    deployment: Deployment,
    { id, note }: { readonly id: string; readonly note: string },
  ) {
    const parts = await deployment.parts();
    const { control, clocks, config } = parts;
    if (!(await latestRestoreOf(control))) throw nothingBegun();
    if (!uuid.test(id))
      throw new Fault(`${id} is no order`, 'restore status names each by its id.');
    const [order] = await compared(deployment, [
      { id, tenantId: null, amount: null, outcome: null },
    ]);
    if (order?.record)
      throw new Fault(`order ${id} is known here: ${order.record}`, 'There is nothing to settle.');
    if (config.approvals) {
      const approval = await askedFor(deployment, parts, { id, move: 'settle', note });
      return { id, settled: false, approval };
    }
    const actor = commandLine();
    const told = { act: 'settleRestoredOrder', event: 'restore_order_settled' } as const;
    const input = { id, by: `${actor.kind} ${actor.id}`, now: instantOf(clocks.realNow()) };
    await submittedToPlatform<object, typeof input>(deployment, told, settleOrderAlone, input);
    return { id, settled: true, approval: null };
  },
};

interface Asked {
  readonly id: string;
  readonly move: 'end' | 'settle';
  readonly note: string;
}

/** Asks an admin for an act on a restore. @returns the request */
async function askedFor(deployment: Deployment, parts: Parts, { id, move, note }: Asked) {
  const told = { act: 'createPlatformApproval', event: 'approval_requested' } as const;
  const command = createRequest(parts, restoreActs[`restores.${move}`]);
  const input = {
    named: { resource: 'restores', id, move, note },
    asked: { id, given: {}, secret: null },
  };
  const made = await submittedToPlatform<Nameless, typeof input>(deployment, told, command, input);
  return made.id;
}
