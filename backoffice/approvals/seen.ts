import { Closed } from '@tenant-payments/contract/core/schema.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import Type, { type Static } from 'typebox';
import { ApprovalEffect } from '../contract/operate/approvals.ts';
import type { AskedMove, ReadyMove } from '../review/reviewed_move.ts';
import { type Done, watch } from './effect.ts';
import { basisOf, judge, type Verdict } from './judge.ts';
import { loadAloneSums } from './maker_cap.ts';
import { loadSubject } from './subject.ts';

/** The effect that a move would have, and the facts of its record. */
const Seen = Closed({
  /** The values that must not change between request and approval. */
  facts: Type.Record(Type.String(), Type.Unknown()),
  effect: ApprovalEffect,
});
export type Seen = Static<typeof Seen>;

/** The record as its maker saw it; it is shown and compared, and nothing is done by it. */
export const seenColumn = jsonColumn('approvals.seen', 'text', Seen);
export const platformSeenColumn = jsonColumn('control.approvals.seen', 'text', Seen);

/**
 * The text by which two looks are compared. Values after the change may hold the time of the
 * decision, so those before it count.
 */
const comparable = ({ facts, effect: { postings, changes } }: Seen): string =>
  JSON.stringify([
    facts,
    postings,
    changes.map(({ object, id, field, before }) => [object, id, field, before]),
  ]);

export const isSame = (one: Seen, other: Seen): boolean => comparable(one) === comparable(other);

/** Carries the result of a dry run out of the engine, which takes back what was done before it. */
export class DryRun extends Error {
  readonly seen: Seen;
  readonly verdict: Verdict;
  readonly done: Done;
  /** The time of the run, on the Tenant's clock. */
  readonly at: Instant;

  constructor(seen: Seen, verdict: Verdict, done: Done, at: Instant) {
    super('a dry run ends before its commit');
    this.seen = seen;
    this.verdict = verdict;
    this.done = done;
    this.at = at;
  }
}

/**
 * A move up to its commit: the same load and decide, and then a refusal, so that nothing is written
 * (rules/approvals#5).
 * @throws DryRun always; what the move refuses
 */
export const dryRun = (service: Pick<Service, 'db' | 'clocks'>) =>
  command('dry_run', {
    judgesItself: true,
    isRead: true,
    prepare: (_input: { asked: AskedMove; ready: ReadyMove }, context) => basisOf(service, context),
    load: async (read, { asked, ready }, { maker }) => {
      const [subject, loaded, sums] = await Promise.all([
        loadSubject(read, asked.resource, ready.given),
        ready.made.command.load(read, ready.given, ready.prepared),
        loadAloneSums(read, maker),
      ]);
      return { subject, loaded, sums };
    },
    decide: (
      work,
      { subject, loaded, sums },
      { ready: { made, given, prepared } },
      { limitsAgo },
    ): never => {
      const facts = subject.facts();
      const watched = watch(work);
      made.command.decide(watched.work, loaded, given, prepared);
      const done = watched.done();
      const verdict = judge(work, done, { limitsAgo, sums });
      throw new DryRun({ facts, effect: watched.effect() }, verdict, done, work.now);
    },
  });
