import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Database } from '../../../database.ts';
import type { Contents } from '../../../rails/mail/content.ts';
import type { Day } from '../../limits/days.ts';
import type { NoticeKind } from './kinds.ts';
import type { NoticeRow } from './table.ts';

/** A notice whose words are made. */
export type WordedNotice = Pick<
  NoticeRow,
  'id' | 'kind' | 'detail' | 'source_id' | 'customer_id' | 'created_at'
>;

interface Reading {
  readonly db: Kysely<Database>;
  readonly pool: pg.Pool;
  readonly clocks: Clocks;
}

/** The words of a notice in both languages. */
export interface NoticeContents extends Contents {
  /** The day from which days in them count: given on another one, they are worded anew; absent: they hold on any day. */
  readonly day?: Day;
}

/** The words of each kind of notice, made of its record when it is sent; null: there is nothing to tell any more. */
export type NoticeTexts = Readonly<
  Partial<
    Record<
      NoticeKind,
      (context: Reading, tenantId: string, notice: WordedNotice) => Promise<NoticeContents | null>
    >
  >
>;

/** The effect of a given notice: it begins a clock of the record that it is about. */
export interface NoticeEffect<Rows = unknown> {
  load(read: Read, notice: NoticeRow): Promise<Rows>;
  /** In the command that notes it; `work.now` is when it was given. */
  given(work: Work, rows: Rows, notice: NoticeRow): void;
}
export type NoticeEffects = Readonly<Partial<Record<NoticeKind, NoticeEffect>>>;

/** An effect with its rows known by type. */
export const effectOf = <Rows>(effect: NoticeEffect<Rows>): NoticeEffect => effect as NoticeEffect;
