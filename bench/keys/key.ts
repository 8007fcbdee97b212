/** One figure of the bench, in the form of its JSON (rules/operations#38). */
export interface Key {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** The limit that the service must meet; null where there is none. */
  readonly must: number | null;
  /** The value that we work towards; null where there is none. */
  readonly goal: number | null;
}
