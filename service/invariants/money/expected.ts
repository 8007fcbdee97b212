/** An entry that a record `p` says was posted, in cents and as SQL. */
export interface Expected {
  /** The condition on the record. */
  readonly when: string;
  readonly step: string;
  readonly pocket: string;
  /** Whose pocket; null: a tenant account. */
  readonly account: string | null;
  readonly delta: string;
  /** Gross and fee of the Transaction that the entry is; absent: it is none. */
  readonly transaction?: { readonly amount: string; readonly fee: string };
}
