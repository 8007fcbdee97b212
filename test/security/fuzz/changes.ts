import type pg from 'pg';

interface Exception {
  readonly table: string;
  /** Only these columns; absent: the whole table. */
  readonly columns?: readonly string[];
  readonly why: string;
}

/** The changes that a refused call may make. */
const exceptions: readonly Exception[] = [
  { table: 'requests', why: 'the log of every request' },
  { table: 'processes', why: 'each process writes at its own pace that it is alive' },
  {
    table: 'exchanges',
    why: 'a public token is claimed before the provider is asked, who takes it once (rules/linking#19)',
  },
  {
    table: 'pins',
    columns: ['attempts', 'failures', 'attempted_at', 'reset_failures', 'hash'],
    why: 'tries are counted before they are compared, and a right PIN is hashed anew (rules/hosted#10)',
  },
  {
    table: 'session_progress',
    columns: ['proven_pin'],
    why: 'a right PIN was right, though what it was given for is refused (rules/hosted#14)',
  },
];
const whole = exceptions.filter(({ columns }) => !columns).map(({ table }) => table);
const inColumns = Object.fromEntries(
  exceptions.flatMap(({ table, columns }) =>
    columns ? [[table, `{${[...columns, 'revision'].join()}}`]] : [],
  ),
);

export interface Change {
  readonly table: string;
  readonly what: string;
}

/** Notes each row that is inserted, deleted, or gets another value. */
const watchSql = `
  create schema watch;
  create unlogged table watch.changes (at bigserial, source text, what text);
  create function watch.note() returns trigger language plpgsql security definer as $$ begin
    insert into watch.changes (source, what)
      values (tg_table_name, tg_op || ' ' || left(coalesce(new, old)::text, 400));
    return null;
  end $$;
  do $$ declare watched text; free text; begin
    for watched, free in select c.relname, coalesce('IN_COLUMNS'::jsonb ->> c.relname, '{}')
      from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = any('{r,p}')
        and not c.relispartition and c.relname <> all(string_to_array('WHOLE', ','))
    loop
      execute format('create trigger watched_rows after insert or delete on %s
        for each row execute function watch.note()', watched);
      execute format('create trigger watched_values after update on %s
        for each row when (
          to_jsonb(old) - %L::text[] is distinct from to_jsonb(new) - %L::text[])
        execute function watch.note()', watched, free, free);
    end loop;
  end $$`;

/**
 * Watches every table of a service, so that what a refused call changes is seen, also where it is
 * changed back: a digest of all rows would not see that, and takes longer with each of them.
 * @param owner of the database
 */
export async function watchChanges(owner: pg.Pool) {
  await owner.query(
    watchSql.replace('WHOLE', whole.join()).replace('IN_COLUMNS', JSON.stringify(inColumns)),
  );
  return {
    /** The changes since the last call. */
    async take(): Promise<readonly Change[]> {
      const { rows } = await owner.query<Change>(
        'delete from watch.changes returning source as table, what',
      );
      return rows;
    },
  };
}
