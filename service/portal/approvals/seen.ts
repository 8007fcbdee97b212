import { Closed } from '@tenant-payments/contract/core/schema.ts';
import { ApprovalEffect } from '@tenant-payments/contract/portal/operate/approvals.ts';
import Type, { type Static } from 'typebox';
import { command } from '../../core/command.ts';
import { jsonColumn } from '../../core/stored_json.ts';
import type { AskedMove, ReadyMove } from '../review/made.ts';
import { watch } from './effect.ts';
import { loadSubject, type Subject } from './subject.ts';

/** What a move would do, and to what. */
const Seen = Closed({
  /** The values that must not change between request and approval. */
  facts: Type.Record(Type.String(), Type.Unknown()),
  effect: ApprovalEffect,
});
export type Seen = Static<typeof Seen>;

/** The record as its maker saw it; it is shown and compared, and nothing is done by it. */
export const seenColumn = jsonColumn('approvals.seen', 'text', Seen);
export const platformSeenColumn = jsonColumn('control.approvals.seen', 'text', Seen);

/** Later values may be the time of the decision, so what was before counts. */
const comparable = ({ facts, effect: { postings, changes } }: Seen): string =>
  JSON.stringify([
    facts,
    postings,
    changes.map(({ object, id, field, before }) => [object, id, field, before]),
  ]);

export const isSame = (one: Seen, other: Seen): boolean => comparable(one) === comparable(other);

/** Carries the result of a dry run out of the engine, which takes back what was done before it. */
export class DryRun extends Error {
  readonly subject: Subject;
  readonly seen: Seen;

  constructor(subject: Subject, effect: ApprovalEffect) {
    super('a dry run ends before its commit');
    this.subject = subject;
    this.seen = { facts: subject.facts, effect };
  }
}

/**
 * A move up to its commit: the same load and decide, and then a refusal, so that nothing is written
 * (rules/approvals#5).
 * @throws DryRun always; what the move refuses
 */
export const dryRun = command('dry_run', {
  load: async (read, { asked, ready }: { asked: AskedMove; ready: ReadyMove }) => {
    const [subject, loaded] = await Promise.all([
      loadSubject(read, asked.resource, ready.given),
      ready.made.command.load(read, ready.given, ready.prepared),
    ]);
    return { subject, loaded };
  },
  decide: (work, { subject, loaded }, { ready: { made, given, prepared } }): never => {
    const watched = watch(work);
    made.command.decide(watched.work, loaded, given, prepared);
    throw new DryRun(subject, watched.effect());
  },
});
