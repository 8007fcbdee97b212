/** The two cells of a move, as SQL names them, and whose rows go. */
export interface Route {
  readonly tenantId: string;
  /** Quoted schemas. */
  readonly from: string;
  readonly to: string;
}

/**
 * SQL: lets append-only tables lose rows of the Tenant `$1` in a cell that is not its own, until the
 * transaction ends (rules/cells#18).
 */
export const leaveBehind = `select set_config('tenant_payments.left_behind', $1, true)`;
