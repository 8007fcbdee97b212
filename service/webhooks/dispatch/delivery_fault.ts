/** A fault of a sandbox's chaos in the delivery of one event. */
export interface DeliveryFault {
  /** The first attempt waits this long after the event was made, on the tenant's clock. */
  readonly delayMs: number;
  /** The first attempt is not sent and counts as failed. */
  readonly failFirstAttempt: boolean;
  /** The first attempt that is sent, once accepted, is sent again. */
  readonly duplicate: boolean;
}

/** The source of faults; production has none. */
export interface DeliveryFaults {
  /** @returns faults by event id; an event without one is delivered as usual */
  faultsOf(
    events: readonly { readonly tenantId: string; readonly eventId: string }[],
  ): Promise<ReadonlyMap<string, DeliveryFault>>;
}
