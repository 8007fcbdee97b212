/** A value of a reply: one of those that are known, or one that a later release of the service adds. */
export type Open<T extends string> = T | (string & {});
