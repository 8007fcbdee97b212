import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import { serviceActor } from '../../engine/actor.ts';
import { type Command, command } from '../../engine/command.ts';
import { openPages } from '../../engine/pages.ts';
import { confirm, readTarget, sessionOf } from '../../service/flows/confirm.ts';
import { decline, leave } from '../../service/flows/end_session.ts';
import type { ReadContext } from '../../service/read_context.ts';
import { loadOnboarding, submitOnboarding } from '../../service/resources/customers/onboarding.ts';
import { sampleSubmission } from '../../service/sandbox/sample/submission.ts';
import type { Service } from '../../service/service.ts';
import type { ReplyBody } from './http/http.ts';
import { type Refusal, refusalOf } from './refusal.ts';

/** The commands of a service, run one by one in this process, without HTTP, as one Tenant. */
export interface Engine {
  readonly tenantId: string;
  /** Runs a command and gives its reply. @throws ApiError */
  run<I, L, P>(command: Command<I, L, P>, input: NoInfer<I>): Promise<ReplyBody>;
  /** Runs a command that must be refused. */
  refusal<I, L, P>(command: Command<I, L, P>, input: NoInfer<I>): Promise<Refusal>;
  /** The context of reads, as the route `path` with this query would hand it on. */
  context(path?: string, query?: object): ReadContext;
  /** Changes settings without any check. */
  change(settings: Partial<Settings>): Promise<void>;
  /** Moves the Tenant's clock; no job is run meanwhile. */
  moveClock(seconds: number): Promise<void>;
  /** Asks the database; `$1` is the Tenant, the values follow. */
  query<Row extends object = ReplyBody>(
    text: string,
    ...values: readonly unknown[]
  ): Promise<Row[]>;
  /** The types of a record's events, in order. @param id the record's uuid */
  events(id: string): Promise<string[]>;
  /** The jobs of a record. @param id the record's uuid */
  jobs(id: string): Promise<{ name: string; due_at: string }[]>;
}

/** The onboarding of a customer in the hosted pages, without its session. */
export const onboard = command('onboard', {
  load: (read, { id }: { id: string }) => loadOnboarding(read, id),
  decide: (work, rows) => {
    const first = rows.pin ? {} : { pinHash: 'a hash' };
    submitOnboarding(work, rows, { ...sampleSubmission(rows.customer), ...first });
    return { record: rows.customer };
  },
});

const endings = { decline, leave } as const;
type Ending = 'confirm' | keyof typeof endings;

/** The customer's answer to a record that waits for it, in its hosted session. */
export const answer = (ending: Ending, type: TargetType = 'load') =>
  command('answer', {
    load: (read, { id }: { id: string }) => readTarget(read, type, id),
    decide: (work, target) => {
      const session = sessionOf(target);
      if (!session) throw new Error(`the ${type} has no session`);
      if (ending === 'confirm') confirm(work, session, target);
      else endings[ending](work, { session, target, subject: target.row });
      return { value: target.row.status };
    },
  });

/** Opens the commands of a service to a Tenant. */
export function openEngine({ engine, pool, db, vault, clocks }: Service, tenantId: string): Engine {
  const run: Engine['run'] = async (what, input) =>
    JSON.parse((await engine.submit(what, { tenantId, input })).body);

  async function now(): Promise<string> {
    const facts = await db
      .selectFrom('tenants')
      .where('tenant_id', '=', tenantId)
      .select(['clock_offset_ms', 'clock_at'])
      .executeTakeFirstOrThrow();
    return clocks.at(tenantId, facts).now;
  }

  const query: Engine['query'] = async <Row extends object>(
    text: string,
    ...values: readonly unknown[]
  ) => (await pool.query<Row>(text, [tenantId, ...values])).rows;

  async function update(set: string, value: unknown): Promise<void> {
    await query(`update tenants set ${set}, revision = revision + 1 where tenant_id = $1`, value);
  }

  return {
    tenantId,
    run,
    query,
    refusal: (what, input) => refusalOf(run(what, input)),
    context: (path = '/', query = {}) => ({
      tenantId,
      actor: serviceActor,
      db,
      now,
      pages: openPages(vault, tenantId, path, query),
    }),
    change: (settings) => update('settings = settings || $2', JSON.stringify(settings)),
    moveClock: (seconds) =>
      update('clock_offset_ms = clock_offset_ms + $2::bigint', seconds * 1000),
    async events(id) {
      const rows = await query<{ type: string }>(
        'select type from events where tenant_id = $1 and object_id = $2 order by version',
        id,
      );
      return rows.map(({ type }) => type);
    },
    jobs: (id) =>
      query('select name, due_at from jobs where tenant_id = $1 and ref = $2 order by name', id),
  };
}
