/** A customer with an account that is open. */
export interface Person {
  /** As the wire writes it. */
  readonly customerId: string;
  /** The account's uuid. */
  readonly accountId: string;
}
