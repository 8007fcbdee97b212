/** An entry that a record `p` says was posted, in cents and as SQL. */
export interface ExpectedEntry {
  /** The condition on the record. */
  readonly when: string;
  readonly step: string;
  readonly pocket: string;
  /** The account of the pocket; null: a tenant account. */
  readonly account: string | null;
  readonly delta: string;
  /** Gross and fee of the entry's Transaction; absent: it is none. */
  readonly transaction?: { readonly amount: string; readonly fee: string };
}
