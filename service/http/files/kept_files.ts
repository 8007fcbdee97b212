import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { openKnownIds } from '@tenant-payments/engine/known_ids.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { LRUCache } from 'lru-cache';
import type { Service } from '../../service.ts';
import { pack } from './packed.ts';

/**
 * The scripts and styles of every release that has shown a page lately (rules/hosted#50). While two releases run
 * side by side, the page of one asks a process of the other for its files.
 */
export interface KeptFiles {
  /**
   * Makes files known to all processes. What it gives is called before each page that names them: it works at the
   * first call and once a day, and never rejects.
   */
  keeping(read: () => Promise<ReadonlyMap<string, Buffer>>): () => Promise<void>;
  /** A file of any release; null: there is none of this name. */
  find(name: string): Promise<Buffer | null>;
}

const dayMs = 86_400_000;
/** A release whose pages nobody was shown for so long is forgotten. */
const keptDays = 30;
/** The most bytes of all releases together; the newest stay. Two dozen of them, if each changes every file. */
const maximumBytes = 64_000_000;
const retryMs = 30_000;
/** The most bytes of other releases, in memory. */
const maximumCachedBytes = 8_000_000;

const gunzipped = promisify(gunzip);
/** Only what is no file of ours is larger. */
const unpack = (packed: Buffer) => gunzipped(packed, { maxOutputLength: maximumCachedBytes });

/** SQL: a mark has the name in it. */
const areOurs = 'name = any($1) and mark = any($2)';
const insert = `insert into control.page_files (name, mark, packed, served_at) values ($1, $2, $3, $4)
  on conflict do nothing`;
const dropOldest = `delete from control.page_files f using (
    select name, mark, sum(length(packed)) over (order by served_at desc, name, mark) as bytes
    from control.page_files) s
  where s.name = f.name and s.mark = f.mark and s.bytes > $1`;

type Needs = Pick<Service, 'control' | 'vault' | 'clocks' | 'log'>;

/** @param limit bytes of all that is kept */
export function openKeptFiles(
  { control, vault, clocks: { realNow }, log }: Needs,
  limit = maximumBytes,
): KeptFiles {
  const markOf = (name: string, file: Buffer): string =>
    vault.index('', `page file ${name} ${createHash('sha256').update(file).digest('hex')}`);

  async function keep(files: ReadonlyMap<string, Buffer>): Promise<void> {
    const nowMs = realNow();
    const now = instantOf(nowMs);
    const ours = [...files].map(([name, file]) => ({ name, file, mark: markOf(name, file) }));
    const keys = [ours.map(({ name }) => name), ours.map(({ mark }) => mark)];
    const { rows } = await control.query<{ mark: string }>(
      `select mark from control.page_files where ${areOurs}`,
      keys,
    );
    const there = new Set(rows.map(({ mark }) => mark));
    const missing = ours.filter(({ mark }) => !there.has(mark));
    for (const { name, mark, file } of missing)
      await control.query(insert, [name, mark, await pack(file), now]);
    await control.query(
      `update control.page_files set served_at = $3 where ${areOurs} and served_at < $4`,
      [...keys, now, instantOf(nowMs - dayMs / 2)],
    );
    await control.query('delete from control.page_files where served_at < $1', [
      instantOf(nowMs - keptDays * dayMs),
    ]);
    if (missing.length > 0) await control.query(dropOldest, [limit]);
  }

  function keeping(read: () => Promise<ReadonlyMap<string, Buffer>>): () => Promise<void> {
    let nextMs = Number.NEGATIVE_INFINITY;
    let working = Promise.resolve();
    async function work(): Promise<void> {
      try {
        await keep(await read());
      } catch (error) {
        nextMs = realNow() + retryMs;
        log.warn({ fault: faultFacts(error) }, 'other releases may lack the files of these pages');
      }
    }
    return () => {
      if (realNow() >= nextMs) {
        nextMs = realNow() + dayMs;
        working = work();
      }
      return working;
    };
  }

  const isKept = openKnownIds(async () => {
    const { rows } = await control.query<{ name: string }>('select name from control.page_files');
    return new Map(rows.map(({ name }) => [name, true]));
  });
  const cached = new LRUCache<string, Buffer>({
    maxSize: maximumCachedBytes,
    sizeCalculation: ({ length }) => length + 1,
  });

  async function find(name: string): Promise<Buffer | null> {
    const before = cached.get(name);
    if (before) return before;
    if (!(await isKept(name))) return null;
    const { rows } = await control.query<{ mark: string; packed: Buffer }>(
      'select mark, packed from control.page_files where name = $1',
      [name],
    );
    for (const { mark, packed } of rows) {
      const file = await unpack(packed).catch(() => Buffer.alloc(0));
      if (mark !== markOf(name, file)) continue;
      cached.set(name, file);
      return file;
    }
    return null;
  }

  return { keeping, find };
}
