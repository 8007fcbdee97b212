import { platform, type Queryable } from './scope.ts';

/**
 * Whether the platform is being set up: it has no admin, or none of more than 24 hours (rules/approvals#20).
 * Nobody could be an independent second person then.
 */
export async function isBootstrapping(db: Queryable, scope: string, now: string): Promise<boolean> {
  if (scope !== platform) return false;
  const { rowCount } = await db.query(
    `select from control.roles where scope = $1 and role = 'admin'
       and granted_at <= $2::timestamptz - interval '24 hours' limit 1`,
    [platform, now],
  );
  return rowCount === 0;
}
