import { changedLeaves, type LeafChange } from '@tenant-payments/contract/core/setting_leaves.ts';
import { type PostedRecipe, recipeOf } from '@tenant-payments/contract/recipes.ts';
import type { Judge } from '@tenant-payments/engine/batch/engine.ts';
import type { AskContext, Command, PrepareContext } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { AnyPosting } from '@tenant-payments/engine/ledger.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { type SettingsRow, unprovenSettings } from '@tenant-payments/engine/settings.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type DisputeRow, disputes } from '@tenant-payments/service/resources/disputes/table.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type LimitsAgo, limitsWeekAgo } from '../settings/week_ago.ts';
import { isGivenAlone, rowControls, weakens } from './controls.ts';
import { type Done, type Watched, watch } from './effect.ts';
import {
  type AloneSums,
  countAlone,
  loadAloneSums,
  type MakerDay,
  makerDayOf,
  passesAlone,
} from './maker_cap.ts';

/** Whether one person may do what a command has done (rules/approvals#2). */
export interface Verdict {
  readonly isNeeded: boolean;
  /** Cents that change hands by it, or by a clock that it sets: they count towards the cap of the day. */
  readonly moved: number;
  /** The settings that it weakens. */
  readonly weakened: readonly LeafChange[];
}

/** `payer.available` is the payer's account, `tenant.cash` an account of its own. */
const accountIn = (place: string, { parties }: AnyPosting): string =>
  parties[place.split('.', 1)[0] ?? ''] ?? place;

/**
 * The cents that a posting moves between accounts: a hold moves money within one, and nobody has
 * more or less by it.
 */
const movedBy = (posting: AnyPosting): number =>
  recipeOf(posting.recipe)
    .transfers.filter(([from, to]) => accountIn(from, posting) !== accountIn(to, posting))
    .reduce((sum, [, , name]) => sum + (posting.amounts[name] ?? 0), 0);

/** An award and its way, which the law's clock forces where nobody decides. */
const ofAward: readonly PostedRecipe[] = [
  'dispute_credited',
  'dispute_credit_ordered',
  'dispute_recovered',
  'suspense_kept',
];

/**
 * Whether the posting belongs to an award that one person may give: the award's sum is named by the
 * consumer's record and stays within a bound.
 */
function isAwardedAlone(posting: AnyPosting, { changed }: Done): boolean {
  const found = changed.find(({ table }) => table === disputes.name);
  if (!found || !ofAward.includes(posting.recipe)) return false;
  return isGivenAlone(found.after as unknown as DisputeRow, movedBy(posting));
}

/** The cents that come under the clock of Regulation E, which credits them later by nobody's act (rules/approvals#2). */
const clockedBy = ({ changed }: Done): number =>
  changed
    .filter(({ table, before, after }) => {
      return (
        table === disputes.name && before.regulation_e === false && after.regulation_e === true
      );
    })
    .reduce((sum, { after }) => sum + Number(after.disputed_cents ?? 0), 0);

const rowIn = (values: object) => values as SettingsRow;

/** A limit is held against what it was seven days ago, so that small steps count together. */
function weakenedBy({ changed }: Done, limitsAgo: LimitsAgo): LeafChange[] {
  const found = changed.find(({ table }) => table === tenants.name);
  if (!found) return [];
  return changedLeaves(unprovenSettings(rowIn(found.before)), unprovenSettings(rowIn(found.after)))
    .map((change) =>
      limitsAgo.has(change.field)
        ? { ...change, before: limitsAgo.get(change.field) ?? null }
        : change,
    )
    .filter(weakens);
}

/** The facts that an effect is compared with. */
export interface Against {
  readonly limitsAgo: LimitsAgo;
  readonly sums: AloneSums;
}

/** Judges by the effect alone: whatever the command is called, and whoever makes it. */
export function judge(work: Work, done: Done, { limitsAgo, sums }: Against): Verdict {
  const weakened = weakenedBy(done, limitsAgo);
  const moved = done.postings.reduce((sum, posting) => sum + movedBy(posting), clockedBy(done));
  const isMoney = done.postings.some(
    (posting) => movedBy(posting) > 0 && !isAwardedAlone(posting, done),
  );
  const isLifted = done.changed.some(
    ({ table, before, after }) => rowControls[table]?.(before, after, work.now) ?? false,
  );
  return {
    isNeeded:
      isMoney || isLifted || weakened.length > 0 || (moved > 0 && passesAlone(work, sums, moved)),
    moved,
    weakened,
  };
}

/** @throws ApiError invalid_state {reason: approval_required}, of settings with the values that need it */
function refuse({ done }: Watched, { weakened }: Verdict): never {
  const [first] = done().changed;
  const status = first?.before.status ?? null;
  const settings = weakened.map(({ field }) => field).join(', ');
  throw fail('invalid_state', {
    details: {
      current_status: status,
      allowed: [],
      reason: 'approval_required',
      ...(settings !== '' && { changes: weakened }),
    },
    message:
      settings === ''
        ? 'a second person must approve this: ask by POST /portal/api/approvals'
        : `a second person must approve ${settings}: ask by POST /portal/api/approvals with resource settings, id settings, move change, and the same body as settings`,
  });
}

type Parts = Pick<Service, 'db' | 'clocks'>;

/** The facts by which a command is judged, read before the batch. */
export interface Basis {
  readonly limitsAgo: LimitsAgo;
  readonly maker: MakerDay;
}

export const basisOf = async (
  parts: Parts,
  { tenantId, actor }: PrepareContext,
): Promise<Basis> => ({
  limitsAgo: await limitsWeekAgo(parts.db, tenantId),
  maker: makerDayOf(parts, actor),
});

const noSums: AloneSums = { ofTenant: new Map(), ofMaker: null };

interface Prepared<Own> {
  readonly own: Own;
  /** null: it is a command of the platform, which has no settings to weaken and moves no money. */
  readonly basis: Basis | null;
}
interface Loaded {
  readonly own: unknown;
  readonly sums: AloneSums;
}

/** A command that one person may make alone only as far as its effect allows; what it moves counts. */
function judged<Input>(parts: Parts, command: Command<Input>): Command<Input> {
  const prepared = async (own: unknown, context: PrepareContext): Promise<Prepared<unknown>> => ({
    own,
    basis: context.tenantId === platformId ? null : await basisOf(parts, context),
  });
  const { ask, ...given } = command;
  const made: Command<Input, Loaded, Prepared<unknown>> = {
    ...given,
    prepare: async (input, context) => prepared(await command.prepare?.(input, context), context),
    ahead: (input, { own }) => command.ahead?.(input, own) ?? [],
    load: async (read, input, { own, basis }) => {
      const [loaded, sums] = await Promise.all([
        command.load(read, input, own),
        basis === null ? noSums : loadAloneSums(read, basis.maker),
      ]);
      return { own: loaded, sums };
    },
    decide: (work, { own, sums }, input, { own: ready, basis }) => {
      const watched = watch(work);
      const answer = command.decide(watched.work, own, input, ready);
      const verdict = judge(work, watched.done(), {
        limitsAgo: basis?.limitsAgo ?? new Map(),
        sums,
      });
      if (verdict.isNeeded) refuse(watched, verdict);
      if (verdict.moved > 0 && basis) countAlone(work, sums, basis.maker, verdict.moved);
      return answer;
    },
    ...(ask && {
      ask: async (input: Input, context: AskContext) =>
        prepared(await command.ask?.(input, context), context),
    }),
  };
  return made;
}

/** Holds every command of somebody who acts by a role against the rule of the second person. */
export const openJudge =
  (parts: Parts): Judge =>
  (command) =>
    command.judgesItself ? command : judged(parts, command);
